/** Moving averages of the searches of a node. */
interface NodeFigures {
  responseMs: number;
  serviceMs: number;
  queue: number;
}

/** Entry of a node in `adaptive_selection` of node statistics. */
export interface NodeRank {
  /** Number of searches sent to the node and not answered. */
  readonly outgoing: number;
  readonly queue: number;
  readonly serviceMs: number;
  readonly responseMs: number;
  readonly rank: number;
}

/** Ranks of nodes by their expected search time, computed from their answers (C3, Suresh et al., NSDI 2015). */
export interface CopyRanks {
  /** Records a query message to a node. The returned function records its answer, null if there was none. */
  sent(
    nodeId: string,
  ): (answer: { readonly responseMs: number; readonly serviceMs: number; readonly queue: number } | null) => void;
  /**
   * Returns the rank of a node; lower is better. Nodes without measurements come first (-Infinity), so that they are
   * measured.
   */
  rank(nodeId: string): number;
  /**
   * Moves the averages of nodes that were not chosen towards those of the chosen one, so that a node is not excluded
   * forever after one slow answer.
   */
  passedOver(chosen: string, others: readonly string[]): void;
  /** Drops nodes for which `nodeIds` returns false, as they have left. */
  keep(nodeIds: (nodeId: string) => boolean): void;
  figures(): ReadonlyMap<string, NodeRank>;
}

/** Weight of a new measurement in the moving averages. */
const ALPHA = 0.3;
/** Minimum service time in milliseconds, to avoid a rank of 0. */
const SERVICE_MS_MIN = 0.001;

const moved = (average: number, value: number): number => average + ALPHA * (value - average);

/**
 * Computes `R − 1/μ + q³/μ` with `q = 1 + outstanding · clients + queue`. The cube keeps bursts away from nodes with
 * long queues.
 */
function rankOf({ responseMs, serviceMs, queue }: NodeFigures, outstanding: number, clients: number): number {
  const expected = 1 + outstanding * clients + queue;
  const service = Math.max(SERVICE_MS_MIN, serviceMs);
  return responseMs - service + expected ** 3 * service;
}

/** Makes the ranks of one coordinating node. */
export function createCopyRanks(): CopyRanks {
  const nodes = new Map<string, NodeFigures>();
  const outgoing = new Map<string, number>();
  const count = (nodeId: string, by: number): void => {
    outgoing.set(nodeId, Math.max(0, (outgoing.get(nodeId) ?? 0) + by));
  };
  const learn = (nodeId: string, given: NodeFigures): void => {
    const known = nodes.get(nodeId);
    if (!known) return void nodes.set(nodeId, { ...given });
    known.responseMs = moved(known.responseMs, given.responseMs);
    known.serviceMs = moved(known.serviceMs, given.serviceMs);
    known.queue = moved(known.queue, given.queue);
  };
  const rank = (nodeId: string): number => {
    const known = nodes.get(nodeId);
    return known ? rankOf(known, outgoing.get(nodeId) ?? 0, nodes.size) : Number.NEGATIVE_INFINITY;
  };
  return {
    sent(nodeId) {
      count(nodeId, 1);
      return (answer) => {
        count(nodeId, -1);
        if (answer) learn(nodeId, answer);
      };
    },
    rank,
    passedOver(chosen, others) {
      const winner = nodes.get(chosen);
      if (!winner) return;
      for (const other of others) {
        const known = nodes.get(other);
        if (!known) continue;
        known.responseMs = (known.responseMs + Math.min(known.responseMs, winner.responseMs)) / 2;
        known.serviceMs = (known.serviceMs + Math.min(known.serviceMs, winner.serviceMs)) / 2;
        known.queue = (known.queue + Math.min(known.queue, winner.queue)) / 2;
      }
    },
    keep(isThere) {
      for (const nodeId of nodes.keys()) if (!isThere(nodeId)) nodes.delete(nodeId);
      for (const [nodeId, count] of outgoing) if (count === 0 && !isThere(nodeId)) outgoing.delete(nodeId);
    },
    figures: () =>
      new Map(
        [...nodes].map(([nodeId, known]) => [
          nodeId,
          { ...known, outgoing: outgoing.get(nodeId) ?? 0, rank: rank(nodeId) },
        ]),
      ),
  };
}
