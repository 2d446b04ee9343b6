import type { AcceptedState, ConsensusEffect } from '@shoal/consensus';
import type { ClusterState, NodeInfo } from '@shoal/state';
import { TASKS } from '../tasks/catalogue.js';
import { type BatchEntry, runBatch, type TaskOutcome } from '../tasks/run-batch.js';
import type { TaskContext } from '../tasks/task.js';
import { votingExclusions } from '../tasks/voting-exclusions.js';
import type { QueuedTask } from './master-queue.js';

/** The consensus state machine asks for the next state. */
export type ProposalRequest = Extract<ConsensusEffect, { type: 'proposeRequested' }>;

/** A batch and what came of each of its tasks. */
export interface RunTasks {
  readonly batch: readonly QueuedTask[];
  readonly outcomes: readonly TaskOutcome[];
}

/** Base, batch and context from which the next state is computed. */
export interface ProposalInput {
  readonly request: ProposalRequest;
  /** The state this node accepted last. */
  readonly base: ClusterState;
  readonly batch: readonly QueuedTask[];
  readonly context: TaskContext;
  readonly local: NodeInfo;
  /** Null: the node is gone again. */
  readonly infoOf: (nodeId: string) => NodeInfo | null;
  readonly accepted: AcceptedState;
  readonly clusterName: string;
  readonly newUuid: () => string;
}

/** The next state, with the outcomes of its tasks. */
export interface ProposedState {
  /** The base itself: nothing changes. */
  readonly state: ClusterState;
  readonly config: readonly string[];
  readonly exclusions: readonly string[];
  readonly tasks: RunTasks;
}

const entry = (name: string, body: unknown): BatchEntry => ({ task: TASKS.get(name)!, body });

/**
 * Nodes of the state of which another process is linked now: they were started again and follow without having asked to
 * join.
 */
export function restartedNodes({ nodes }: ClusterState, infoOf: (nodeId: string) => NodeInfo | null): NodeInfo[] {
  return [...nodes.values()].flatMap(({ id, ephemeralId }) => {
    const info = infoOf(id);
    return info !== null && info.ephemeralId !== ephemeralId ? [info] : [];
  });
}

/**
 * Nodes that left and joined, as tasks before those of the batch; the first batch of a term puts its master in place.
 */
function membership({ request, base, local, infoOf }: ProposalInput): BatchEntry[] {
  const leaving = new Set(request.leaves.map(({ nodeId }) => nodeId));
  const restarted = restartedNodes(base, infoOf).filter(({ id }) => !request.joins.includes(id) && !leaving.has(id));
  const joins = [...request.joins.flatMap((id) => infoOf(id) ?? []), ...restarted];
  const left = request.leaves.map(({ nodeId }) => ({
    id: nodeId,
    ephemeralId: base.nodes.get(nodeId)?.ephemeralId ?? '',
  }));
  if (request.elected) return [entry('elected', { masterNodeId: local.id, nodes: [local, ...joins], left })];
  return [
    ...(left.length > 0
      ? [
          entry('node-left', {
            nodes: left,
            reason: [...new Set(request.leaves.map(({ reason }) => reason))].join(', '),
          }),
        ]
      : []),
    ...(joins.length > 0 ? [entry('node-join', { nodes: joins })] : []),
  ];
}

/** A cluster that is formed now gets its name and uuid. */
function formed(input: ProposalInput): ClusterState {
  const { base, accepted, clusterName, newUuid } = input;
  if (base.version > 0) return base;
  return { ...base, clusterName, clusterUuid: accepted.clusterUuid ?? newUuid() };
}

/** Keeps its identity while it is the same, so that no difference carries it. */
function votingConfiguration(base: ClusterState, config: readonly string[]): readonly string[] {
  const known = base.votingConfiguration;
  return known.length === config.length && known.every((id, i) => id === config[i]) ? known : config;
}

/**
 * The next state of the cluster: membership first, then the tasks of the batch. Pure but for ids and time of the
 * context.
 */
export function proposeNext(input: ProposalInput): ProposedState {
  const { request, base, batch, context, accepted, local, newUuid } = input;
  const before = membership(input);
  const run = runBatch(formed(input), [...before, ...batch], context);
  const { state } = run;
  const config = request.config ?? accepted.acceptedConfig;
  const exclusions = votingExclusions(state)
    .map(({ node_id }) => node_id)
    .filter((id) => id !== '_absent_');
  const tasks = { batch, outcomes: run.outcomes.slice(before.length) };
  if (state === base && request.config === null && !request.elected) return { state: base, config, exclusions, tasks };
  return {
    state: {
      ...state,
      term: request.term,
      version: base.version + 1,
      stateUuid: newUuid(),
      masterNodeId: local.id,
      votingConfiguration: votingConfiguration(base, config),
    },
    config,
    exclusions,
    tasks,
  };
}
