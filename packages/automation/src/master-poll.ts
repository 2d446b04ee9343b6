import type { ClusterService } from '@shoal/cluster';
import type { Clock, Log } from '@shoal/doors';
import type { ClusterState } from '@shoal/state';

/** How long a node that is not the master waits before it looks again, in milliseconds. */
const LOOK_MS = 60_000;

/** What the elected master does again and again. */
export interface MasterPollOptions {
  readonly cluster: ClusterService;
  readonly nodeId: string;
  readonly clock: Clock;
  readonly log: Log;
  /** Milliseconds until the next look, which may change with the state. The last one began at `lookMs`. */
  readonly waitMs: (state: ClusterState, lookMs: number) => number;
  /** Whether a state is a reason to look before the time. */
  readonly isNews: (known: ClusterState, next: ClusterState) => boolean;
  readonly look: (state: ClusterState) => Promise<void>;
  /** Called when the node becomes the master, before it looks. */
  readonly elected?: () => void;
  /** For the log, if a look fails. */
  readonly what: string;
}

/** Calls `look` on the elected master: when its node becomes it, at times, and at news. One call at a time. */
export class MasterPoll {
  readonly #options: MasterPollOptions;
  readonly #end = new AbortController();

  constructor(options: MasterPollOptions) {
    this.#options = options;
  }

  /** Works until `close`. */
  async follow(): Promise<void> {
    const { cluster, nodeId, clock, log, waitMs, isNews, look, elected, what } = this.#options;
    const { signal } = this.#end;
    let wasMaster = false;
    while (!signal.aborted) {
      const state = cluster.state();
      const lookMs = clock.now();
      const isMaster = state.masterNodeId === nodeId;
      if (isMaster && !wasMaster) elected?.();
      wasMaster = isMaster;
      if (isMaster)
        await look(state).catch((error: unknown) => {
          if (!signal.aborted) log.write('warn', `${what} failed`, { error });
        });
      const isDue = (next: ClusterState): boolean =>
        signal.aborted ||
        next.masterNodeId !== state.masterNodeId ||
        (isMaster && next !== state && isNews(state, next));
      await cluster.waitFor(isDue, isMaster ? Math.max(1, waitMs(state, lookMs)) : LOOK_MS).catch(() => false);
    }
  }

  close(): void {
    this.#end.abort();
  }
}
