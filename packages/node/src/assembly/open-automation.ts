import {
  downsample,
  type Downsample,
  type DownsampleDoors,
  IndexLifecycleRunner,
  ProgressStore,
  QuarantineKeeper,
  resumeSnapshots,
  seriesWindowPoll,
  SnapshotLifecycleRunner,
  StreamLifecycleRunner,
  TaskRunner,
  TransformExecutor,
  TransformService,
} from '@shoal/automation';
import {
  type Coordinator,
  type NodeSettingTexts,
  registeredPlace,
  type RepositoryPlace,
  type SnapshotService,
} from '@shoal/coordinator';
import { errors } from '@shoal/errors';
import type { OpenMl } from '@shoal/ml';
import { type Authentication, EVERYBODY, type Security, type Subject } from '@shoal/security';
import { namedLog } from '../log/named-log.js';
import type { Membership } from './membership-api.js';
import type { NodeCalls } from './node-calls.js';
import type { NodeDoors } from './node-doors.js';

/** What a node does by itself, without a request. */
export interface Automation {
  readonly transforms: TransformService;
  /** Answers to calls of other nodes, by name. */
  readonly calls: NodeCalls;
  /** Ends the work of the node; the master gives it to another one. */
  close(): Promise<void>;
}

interface Parts {
  readonly membership: Membership;
  readonly coordinator: Coordinator;
  readonly snapshots: SnapshotService;
  /** Settings of the node's files, flat. */
  readonly nodeSettings: NodeSettingTexts;
  readonly security: Security | null;
  readonly ml: OpenMl;
}

/** Opens the work that a node does by itself, and begins to follow what the master assigns to it. */
export function openAutomation(
  { membership, coordinator, snapshots, nodeSettings, security, ml }: Parts,
  { clock, random, log: all }: NodeDoors,
): Automation {
  const { cluster, localNode } = membership;
  const log = namedLog(all, 'shoal.automation');
  const store = new ProgressStore(cluster, coordinator);
  const doors = {
    cluster,
    coordinator,
    store,
    clock,
    log,
    subjectOf: makerOf(security),
  };
  const executor = new TransformExecutor(doors);
  const runner = new TaskRunner(cluster, localNode.id, { transform: executor, ...ml.executors }, { clock, log });
  void runner.follow();
  const keeper = new QuarantineKeeper({ cluster, coordinator, nodeId: localNode.id, log });
  void keeper.follow();
  const ending = new AbortController();
  const aging = { cluster, coordinator, downsample: downsampling({ cluster, coordinator }, ending.signal) };
  const placeOf = (repository: string): RepositoryPlace => registeredPlace(cluster.state(), nodeSettings, repository);
  const here = { nodeId: localNode.id, clock, log: namedLog(all, 'shoal.lifecycle') };
  const lifecycles = new IndexLifecycleRunner({ ...aging, ...here, snapshots, placeOf, authorOf: authorsOf(security) });
  void lifecycles.follow();
  const streams = new StreamLifecycleRunner({ ...aging, ...here });
  void streams.follow();
  const windows = seriesWindowPoll({ cluster, ...here });
  void windows.follow();
  const snapshotLifecycles = new SnapshotLifecycleRunner({
    cluster,
    snapshots,
    placeOf,
    ...here,
    random,
    authorOf: authorsOf(security),
  });
  void snapshotLifecycles.follow();
  const resumed = resumeSnapshots({
    cluster,
    snapshots,
    nodeId: localNode.id,
    clock,
    log: namedLog(all, 'shoal.snapshots'),
  });
  const close = async (): Promise<void> => {
    ending.abort();
    resumed.close();
    keeper.close();
    lifecycles.close();
    streams.close();
    windows.close();
    snapshotLifecycles.close();
    await runner.close();
  };
  const transforms = new TransformService(doors, executor);
  return { transforms, calls: { ...transforms.calls, ...streams.calls, ...snapshotLifecycles.calls }, close };
}

/** Downsamples until the node ends. */
const downsampling =
  (doors: DownsampleDoors, signal: AbortSignal): Downsample =>
  (request) =>
    downsample(doors, request, signal);

/** Returns who stored a policy: everybody while security is off. */
function authorsOf(security: Parts['security']) {
  return ({ authentication }: { readonly authentication: unknown }): Subject =>
    security === null || authentication === null ? EVERYBODY : security.subjectOf(authentication as Authentication);
}

/**
 * Returns who the maker of a transform is now. A transform that was made while security was off has none: it would run
 * with all rights, so it is refused until somebody updates it.
 */
function makerOf(security: Parts['security']): TransformSubject {
  return ({ id, authentication }) => {
    if (security === null) return EVERYBODY;
    if (authentication !== null) return security.subjectOf(authentication);
    throw errors.security(
      `transform [${id}] was made without authentication and cannot run: update it, so that it has your rights`,
    );
  };
}

type TransformSubject = ConstructorParameters<typeof TransformExecutor>[0]['subjectOf'];
