import type { Log } from '@shoal/doors';
import { isQuorum } from '@shoal/consensus';

/** What a node without a master knows: both voting configurations of its accepted state, and the nodes it reaches. */
export interface ElectionView {
  /** Node ids; empty until the cluster is bootstrapped. A placeholder stands for an initial master not found yet. */
  readonly committedConfig: readonly string[];
  readonly acceptedConfig: readonly string[];
  /** Names by node id of this node and of all that it has links to. */
  readonly reached: ReadonlyMap<string, string>;
  /** `cluster.initial_master_nodes`. */
  readonly initialMasterNodes: readonly string[];
}

const FIRST_AFTER_MS = 10_000;
const AGAIN_AFTER_MS = 10_000;

/**
 * Warns in the log while no master is elected, every 10 seconds, and says what an election lacks. Story: n1 and n3
 * bootstrap a cluster whose first configuration has a placeholder for n2; n2 joins, and n3, the master, is cut off
 * before the configuration with n2 is committed. n1 and n2 reach each other and yet elect nobody, because n2 has no
 * vote: only this line tells the operator that n3 has to come back.
 */
export class NoMasterWarning {
  readonly #log: Log;
  #sinceMs: number | null = null;
  #nextMs = 0;

  constructor(log: Log) {
    this.#log = log;
  }

  /** Called regularly: `nowMs` of the monotonic clock; `view` is asked for only when a warning is due. */
  look(nowMs: number, leaderId: string | null, view: () => ElectionView): void {
    if (leaderId !== null) {
      this.#sinceMs = null;
      return;
    }
    if (this.#sinceMs === null) {
      this.#sinceMs = nowMs;
      this.#nextMs = nowMs + FIRST_AFTER_MS;
    }
    if (nowMs < this.#nextMs) return;
    this.#nextMs = nowMs + AGAIN_AFTER_MS;
    this.#log.write('warn', 'no master is elected', {
      'event.reason': whatIsMissing(view()),
      'event.duration': Math.round((nowMs - this.#sinceMs) * 1e6),
    });
  }
}

/** What an election waits for, as a sentence. */
export function whatIsMissing(view: ElectionView): string {
  const names = [...view.reached.values()].sort().join(', ');
  if (view.acceptedConfig.length === 0) return `${missingAtFirst(view)}; this node reaches ${names}`;
  const lacking = [view.committedConfig, view.acceptedConfig].find((c) => !isQuorum([...view.reached.keys()], c));
  if (lacking === undefined)
    return `this node reaches enough voting nodes (${names}), so that an election goes on or fails between them`;
  const absent = lacking.filter((id) => !view.reached.has(id));
  return (
    `${Math.floor(lacking.length / 2) + 1} of ${lacking.length} voting nodes have to reach each other, and this node ` +
    `does not reach those with the ids [${absent.join(', ')}]; it reaches ${names}`
  );
}

function missingAtFirst({ initialMasterNodes }: ElectionView): string {
  if (initialMasterNodes.length === 0)
    return 'the cluster was never formed, and [cluster.initial_master_nodes] is not set on this node';
  return `the cluster was never formed, which needs more than half of [${initialMasterNodes.join(', ')}]`;
}
