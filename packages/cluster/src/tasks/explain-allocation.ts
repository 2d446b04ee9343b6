import { errors } from '@shoal/errors';
import {
  isRelocationTarget,
  noSuchIndex,
  type ClusterState,
  type IndexMetadata,
  type ShardRouting,
  nameIndex,
} from '@shoal/state';
import { explainShard } from '../allocation/explain/explain-shard.js';
import { resolveNode } from './reroute-commands/command.js';
import { defineTask, type TaskContext, type TaskResult } from './task.js';

/** Request of `_cluster/allocation/explain`. Without a shard it explains some unassigned copy. */
export interface ExplainAllocationBody {
  readonly shard?: {
    readonly index: string;
    readonly shard: number;
    readonly primary: boolean;
    readonly currentNode: string | null;
  };
  readonly includeYes: boolean;
}

const NOTE =
  'No shard was specified in the explain API request, so this response explains a randomly chosen unassigned ' +
  'shard. There may be other unassigned shards in this cluster which cannot be assigned for different reasons. It ' +
  'may not be possible to assign this shard until one of the other shards is assigned correctly. To explain the ' +
  'allocation of other shards (whether assigned or unassigned) you must specify the target shard in the request to ' +
  'this API.';
const NO_UNASSIGNED =
  'No shard was specified in the request which means the response should explain a randomly-chosen unassigned ' +
  'shard, but there are no unassigned shards in this cluster. To explain the allocation of an assigned shard you ' +
  'must specify the target shard in the request.';

interface Found {
  readonly meta: IndexMetadata;
  readonly copy: ShardRouting;
}

function anyUnassigned(state: ClusterState): Found {
  const copies = [...state.routing.values()].flat(2).filter((copy) => copy.state === 'UNASSIGNED');
  const copy = copies.find((candidate) => candidate.primary) ?? copies[0];
  if (!copy) throw errors.illegalArgument(NO_UNASSIGNED);
  return { meta: state.indices.get(copy.indexUuid)!, copy };
}

/** Chooses a replica if the request names no node: an unassigned one, else an initializing one, else a started one. */
function chooseReplica(copies: readonly ShardRouting[]): ShardRouting | undefined {
  const replicas = copies.filter((copy) => !copy.primary && !isRelocationTarget(copy));
  return (
    replicas.find((copy) => copy.state === 'UNASSIGNED') ??
    replicas.find((copy) => copy.state !== 'STARTED') ??
    replicas[0]
  );
}

function named(state: ClusterState, wanted: NonNullable<ExplainAllocationBody['shard']>): Found {
  const meta = nameIndex(state).get(wanted.index);
  if (!meta) throw noSuchIndex(wanted.index);
  const copies = state.routing.get(meta.uuid)?.[wanted.shard];
  if (!copies)
    throw errors.shardNotFound('no such shard', {
      meta: { index_uuid: meta.uuid, shard: String(wanted.shard), index: meta.name },
    });
  if (wanted.currentNode !== null) return { meta, copy: onNode(state, copies, wanted, wanted.currentNode) };
  const copy = wanted.primary ? copies.find((candidate) => candidate.primary) : chooseReplica(copies);
  if (!copy)
    throw errors.illegalArgument(
      `unable to find a replica shard to allocate explain for [${meta.name}][${wanted.shard}]`,
    );
  return { meta, copy };
}

function onNode(
  state: ClusterState,
  copies: readonly ShardRouting[],
  { index, shard, primary }: NonNullable<ExplainAllocationBody['shard']>,
  currentNode: string,
): ShardRouting {
  const node = resolveNode(state, currentNode);
  const copy = copies.find(
    (candidate) => candidate.nodeId === node.id && candidate.primary === primary && !isRelocationTarget(candidate),
  );
  if (copy) return copy;
  if (primary) throw errors.illegalArgument(`unable to find primary shard assigned to node [${currentNode}]`);
  throw errors.illegalArgument(
    `unable to find a replica shard for [${index}][${shard}] assigned to node [${currentNode}]`,
  );
}

function apply(state: ClusterState, body: ExplainAllocationBody, context: TaskContext): TaskResult {
  const { meta, copy } = body.shard ? named(state, body.shard) : anyUnassigned(state);
  const answer = explainShard(state, meta, copy, context, body.includeYes);
  return { state, answer: body.shard ? answer : { note: NOTE, ...answer } };
}

/** Explains one copy on the master, which alone knows the stores and disks of all nodes. Changes nothing. */
export const explainAllocation = defineTask<ExplainAllocationBody>({
  name: 'explain-allocation',
  priority: 'IMMEDIATE',
  source: () => 'cluster_allocation_explain',
  apply,
});
