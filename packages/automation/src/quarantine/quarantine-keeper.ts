import type { ClusterService } from '@shoal/cluster';
import type { Coordinator } from '@shoal/coordinator';
import type { Log } from '@shoal/doors';
import { clusterSetting, type ClusterState } from '@shoal/state';
import { parseTimeValue } from '@shoal/values';

const INTERVAL = 'shoal.quarantine.poll_interval';

/** What the keeper of quarantines needs of its node. */
export interface KeeperDoors {
  readonly cluster: ClusterService;
  readonly coordinator: Pick<Coordinator, 'quarantine'>;
  readonly nodeId: string;
  readonly log: Log;
}

/** Looks after the quarantines of the cluster while its node is the master: rolls them and deletes what is old. */
export class QuarantineKeeper {
  readonly #doors: KeeperDoors;
  readonly #end = new AbortController();

  constructor(doors: KeeperDoors) {
    this.#doors = doors;
  }

  /** Works until `close`. */
  async follow(): Promise<void> {
    const { cluster } = this.#doors;
    const { signal } = this.#end;
    while (!signal.aborted) {
      const interval = clusterSetting(cluster.state(), INTERVAL);
      const isNews = (next: ClusterState): boolean => signal.aborted || clusterSetting(next, INTERVAL) !== interval;
      const waitMs = parseTimeValue(String(interval), INTERVAL);
      const isChanged = await cluster.waitFor(isNews, waitMs).catch(() => false);
      if (!isChanged && !signal.aborted) await this.#look();
    }
  }

  async #look(): Promise<void> {
    const { cluster, coordinator, nodeId, log } = this.#doors;
    if (cluster.state().masterNodeId !== nodeId) return;
    try {
      await coordinator.quarantine.maintain(this.#end.signal);
    } catch (error) {
      // The next round tries again.
      if (!this.#end.signal.aborted) log.write('warn', 'quarantines could not be looked after', { error });
    }
  }

  close(): void {
    this.#end.abort();
  }
}
