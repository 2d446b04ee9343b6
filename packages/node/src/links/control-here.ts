import { AppliedCluster, type CoordinationAccess, type NodeHealth } from '@shoal/cluster';
import type { Random } from '@shoal/doors';
import type { Guards } from '@shoal/consensus';
import type { Transport, TransportOptions } from '@shoal/transport';
import type { ControlPart, ControlPartOptions } from '../assembly/placement.js';
import { createLinkGuard } from './link-security.js';
import { type RunningCoordination, runCoordination } from './run-coordination.js';

/** Effects of a control part on the calling thread, besides its options. */
export interface ControlHereDoors {
  readonly random: Random;
  readonly createTransport: (options: TransportOptions) => Promise<Transport>;
  readonly health: () => NodeHealth;
  /** For tests only: switches guards of the consensus state machine off. */
  readonly guards?: Guards;
}

/** Starts the control part on the calling thread. Its states are passed on as objects. */
export async function startControlHere(options: ControlPartOptions, doors: ControlHereDoors): Promise<ControlPart> {
  const { data, clock, files, log } = options;
  let running: RunningCoordination | null = null;
  let transportAddress = data.localNode.transportAddress;
  const guard = createLinkGuard(data.linkSecurity, options.linkRuled, doors.random);
  const cluster = new AppliedCluster({
    clock,
    clusterName: data.clusterName,
    nodeSettings: data.nodeSettings,
    localNode: data.localNode,
    next: options.next,
    coordination: accessTo(() => running!),
  });
  running = await runCoordination({
    ...doors,
    data,
    clock,
    files,
    log,
    protection: guard.options,
    ready: async (address) => void (transportAddress = address),
    seeds: options.seeds,
    follower: cluster,
    handler: options.handler,
    onFatal: options.onFatal,
  });
  const { transport } = running;
  return {
    cluster,
    transportAddress,
    transportStats: async () => transport.stats(),
    protect: (security) => guard.update(security),
  };
}

/** Access to coordination on this thread, which starts after its users are created. */
function accessTo(running: () => RunningCoordination): CoordinationAccess {
  return {
    submit: (...task) => running().node.submit(...task),
    pendingTasks: () => running().node.pendingTasks(),
    statistics: () => running().node.statistics(),
    async close() {
      await running().node.close();
      await running().transport.close();
    },
  };
}
