import type { TaskContext } from '@shoal/cluster';
import type { Task, TaskResult } from '@shoal/cluster/testing';
import type { ClusterState } from '@shoal/state';
import { ALL_GUARDS, type Guards } from '@shoal/consensus';
import { coordination, recovery, replication, shard } from '@shoal/protocol';
import type { Mutation, Receive } from './mutation.js';

const NET = { profile: 'net', swarm: true } as const;
const MIX = { profile: 'mix', swarm: true } as const;
const STORE = { profile: 'store', swarm: true } as const;

const without = (...guards: (keyof Guards)[]): Guards => ({
  ...ALL_GUARDS,
  ...Object.fromEntries(guards.map((guard) => [guard, false])),
});

const onAction =
  (wanted: string, change: Receive): Receive =>
  (action, payload, next) =>
    action === wanted ? change(action, payload, next) : next(payload);

type Apply = (state: ClusterState, body: unknown, context: TaskContext) => TaskResult;

/** Creates a task whose resulting state is changed; batches run one by one. */
function outcome(change: (before: ClusterState, after: ClusterState) => ClusterState): (task: Task) => Task {
  return (task) => {
    const apply: Apply = (state, body, context) => {
      const result = task.apply(state, body as never, context);
      return { ...result, state: change(state, result.state) };
    };
    const { applyAll: _, ...single } = task as Task & { applyAll?: unknown };
    return { ...single, apply } as Task;
  };
}

function eachIndex(
  state: ClusterState,
  change: (uuid: string) => Partial<NonNullable<ReturnType<ClusterState['indices']['get']>>> | null,
): ClusterState {
  const indices = new Map(state.indices);
  for (const [uuid, meta] of indices) {
    const changed = change(uuid);
    if (changed) indices.set(uuid, { ...meta, ...changed });
  }
  return { ...state, indices };
}

const keepTerms = (before: ClusterState, after: ClusterState): ClusterState =>
  eachIndex(after, (uuid) => {
    const terms = before.indices.get(uuid)?.primaryTerms;
    return terms ? { primaryTerms: terms } : null;
  });

/** Bug: copies count as in sync as soon as they are assigned. */
const countAtOnce = (_before: ClusterState, after: ClusterState): ClusterState =>
  eachIndex(after, (uuid) => {
    const groups = after.routing.get(uuid) ?? [];
    const inSync = after.indices
      .get(uuid)!
      .inSync.map((ids, i) => [
        ...new Set([
          ...ids,
          ...(groups[i] ?? []).flatMap((copy) =>
            copy.nodeId !== null && copy.allocationId !== null ? [copy.allocationId] : [],
          ),
        ]),
      ]);
    return { inSync };
  });

const taskAnswer = (answer: unknown): Uint8Array =>
  coordination.methods.task.encodeAnswer({ body: Buffer.from(JSON.stringify(answer)) });

/**
 * Bugs of coordination that whole nodes reveal soon. The consensus state machine's own simulator switches off all its
 * guards one by one, in a thousand times as many elections.
 */
const COORDINATION: readonly Mutation[] = [
  { name: 'commits without a quorum', plan: NET, guards: without('commitCommittedQuorum', 'commitPublishedQuorum') },
  { name: 'counts accepts of another version', plan: NET, guards: without('publishOkVersion') },
  { name: 'syncs of the state log do nothing', plan: MIX, lies: { fileSync: true } },
];

const REPLICATION: readonly Mutation[] = [
  {
    name: 'a copy answers without having the operations',
    plan: MIX,
    receive: onAction(replication.methods.replicate.action, async (_action, payload) => {
      const { previousSeqNo, records, head } = replication.decodeReplicateRequest(payload);
      const last = previousSeqNo + records.length;
      return replication.encodeReplicateAnswer({ outcome: 0, localCheckpoint: last, maxSeqNo: last, head });
    }),
  },
  {
    name: 'a batch is taken for the next one',
    plan: MIX,
    receive: onAction(replication.methods.replicate.action, (_action, payload, next) => {
      const request = replication.decodeReplicateRequest(payload);
      return next(
        replication.encodeReplicateRequest(
          request.records.length > 2 ? { ...request, records: request.records.slice(1) } : request,
        ),
      );
    }),
  },
  {
    name: 'the global checkpoint runs ahead',
    plan: MIX,
    receive: onAction(replication.methods.replicate.action, (_action, payload, next) => {
      const request = replication.decodeReplicateRequest(payload);
      return next(replication.encodeReplicateRequest({ ...request, globalCheckpoint: request.globalCheckpoint + 5 }));
    }),
  },
  {
    name: 'a resync keeps what the primary does not have',
    plan: MIX,
    receive: onAction(replication.methods.resync.action, (_action, payload, next) => {
      const request = replication.decodeResyncRequest(payload);
      return next(payload).then((bytes) =>
        replication.encodeResyncAnswer({ ...replication.decodeResyncAnswer(bytes), matchPoint: request.maxSeqNo }),
      );
    }),
  },
  {
    name: 'a segment of the same number is taken for the same one',
    plan: { ...MIX, filesShare: 0.6 },
    receive: onAction(recovery.methods.start.action, async (_action, payload, next) => {
      const own = new Map(
        recovery.decodeStartRequest(payload).segments.map(({ number, rootHash }) => [number, new Uint8Array(rootHash)]),
      );
      const answer = recovery.decodeStartAnswer(await next(payload));
      if (answer.commit === undefined) return recovery.encodeStartAnswer(answer);
      const segments = answer.commit.segments.map((segment) =>
        own.has(segment.number) ? { ...segment, held: true, rootHash: own.get(segment.number)! } : segment,
      );
      return recovery.encodeStartAnswer({ ...answer, commit: { ...answer.commit, segments } });
    }),
  },
  {
    name: 'copies say that they were refreshed and were not',
    plan: MIX,
    receive: onAction(replication.methods.sync.action, (_action, payload, next) =>
      next(replication.encodeSyncRequest({ ...replication.decodeSyncRequest(payload), refresh: 0 })),
    ),
  },
  {
    name: 'a request arrives twice',
    plan: MIX,
    receive: onAction(shard.methods.bulk.action, async (_action, payload, next) => {
      await next(new Uint8Array(payload));
      return next(payload);
    }),
  },
];

const MASTER: readonly Mutation[] = [
  {
    name: 'the term stays at a promotion',
    plan: MIX,
    tasks: { 'node-left': outcome(keepTerms), elected: outcome(keepTerms) },
  },
  {
    name: 'copies count before they are recovered',
    plan: MIX,
    tasks: {
      reroute: outcome(countAtOnce),
      'node-join': outcome(countAtOnce),
      'update-settings': outcome(countAtOnce),
    },
  },
  { name: 'started shards are not noted', plan: NET, tasks: { 'shard-started': outcome((before) => before) } },
  {
    name: 'the cluster uuid changes when a node joins',
    plan: MIX,
    tasks: {
      'node-join': outcome((before, after) => ({
        ...after,
        clusterUuid: before.clusterUuid === '_na_' ? after.clusterUuid : `${before.clusterUuid}x`,
      })),
    },
  },
  {
    name: 'the master says yes and does nothing',
    plan: MIX,
    receive: onAction(coordination.methods.task.action, async (_action, payload, next) => {
      const text = Buffer.from(payload).toString('latin1');
      return text.includes('shard-failed') ? taskAnswer({ acknowledged: true }) : next(payload);
    }),
  },
];

const STORAGE: readonly Mutation[] = [
  { name: 'syncs of shard stores do nothing', plan: STORE, lies: { storeSync: true } },
  { name: 'some batches are written nowhere', plan: STORE, lies: { dropsBatch: 40 } },
];

/** Planted bugs; each must be noticed. */
export const MUTATIONS: readonly Mutation[] = [...COORDINATION, ...REPLICATION, ...MASTER, ...STORAGE];
