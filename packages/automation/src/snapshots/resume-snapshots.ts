import type { ClusterService } from '@shoal/cluster';
import type { SnapshotService } from '@shoal/coordinator';
import type { Clock, Log } from '@shoal/doors';
import { MasterPoll } from '../master-poll.js';

/** How often a master looks for snapshots that nobody takes, besides when it is elected; in milliseconds. */
const LOOK_MS = 60_000;

/** What going on with snapshots uses. */
export interface ResumeSnapshotsOptions {
  readonly cluster: ClusterService;
  readonly snapshots: SnapshotService;
  readonly nodeId: string;
  readonly clock: Clock;
  readonly log: Log;
}

/** Lets a newly elected master go on with the snapshots that the one before it has begun. */
export function resumeSnapshots({ snapshots, ...options }: ResumeSnapshotsOptions): MasterPoll {
  const poll = new MasterPoll({
    ...options,
    waitMs: () => LOOK_MS,
    isNews: () => false,
    look: () => snapshots.resume(),
    what: 'going on with snapshots',
  });
  void poll.follow();
  return poll;
}
