/** What is known of a node's searches; moving averages where not said otherwise. */
interface NodeFigures {
  responseMs: number;
  serviceMs: number;
  queue: number;
}

/** `adaptive_selection` of a node in node statistics. */
export interface NodeRank {
  /** Searches sent there and not answered. */
  readonly outgoing: number;
  readonly queue: number;
  readonly serviceMs: number;
  readonly responseMs: number;
  readonly rank: number;
}

/** How long nodes are expected to take for a search, learned from their answers (C3, Suresh et al., NSDI 2015). */
export interface CopyRanks {
  /**
   * Called with each query message that is sent; the returned function takes its answer, or null when there was none.
   */
  sent(
    nodeId: string,
  ): (answer: { readonly responseMs: number; readonly serviceMs: number; readonly queue: number } | null) => void;
  /** Lower is better; nodes without figures come first, so that they get some. */
  rank(nodeId: string): number;
  /**
   * Nodes that were passed over: their figures move towards those of the chosen one, so that one bad moment does not
   * exclude a node for ever.
   */
  passedOver(chosen: string, others: readonly string[]): void;
  /** Forgets nodes that left. */
  keep(nodeIds: (nodeId: string) => boolean): void;
  figures(): ReadonlyMap<string, NodeRank>;
}

/** Weight of a new figure in the averages. */
const ALPHA = 0.3;
/** Averages of no time would make a quotient infinite. */
const SERVICE_MS_MIN = 0.001;

const moved = (average: number, value: number): number => average + ALPHA * (value - average);

/** `R − 1/μ + q³/μ` with `q = 1 + outstanding · clients + queue`: the cube keeps bursts away from loaded nodes. */
function rankOf({ responseMs, serviceMs, queue }: NodeFigures, outstanding: number, clients: number): number {
  const expected = 1 + outstanding * clients + queue;
  const service = Math.max(SERVICE_MS_MIN, serviceMs);
  return responseMs - service + expected ** 3 * service;
}

/** Ranks of one coordinating node. */
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
