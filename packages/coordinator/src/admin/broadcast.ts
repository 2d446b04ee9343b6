import { type ApiError, errors } from '@shoal/errors';
import { type ClusterState, type IndexMetadata, isActive, isRelocationTarget, type ShardRouting } from '@shoal/state';
import { type RequestOptions, sendMessage } from '@shoal/doors';
import { node, shard } from '@shoal/protocol';
import type { AccessLimits } from '@shoal/mapping';
import { limitsBytes } from '../access.js';
import type { CoordinatorContext } from '../context.js';
import { decodeJson, encodeJson } from '../json-bytes.js';
import { mayAnswerElsewhere } from '../retryable.js';
import { callCopies } from './call-copies.js';

/**
 * Limit for waiting for the state in which a relocation has ended. The node that has closed the copy has applied it
 * already.
 */
const MOVE_WAIT_MS = 250;

/** Failure of a call on one copy. */
export interface ShardFailure {
  readonly index: string;
  readonly shard: number;
  readonly nodeId: string | null;
  readonly error: ApiError;
}

/** Answer of one copy. */
export interface ShardAnswer {
  readonly indexUuid: string;
  readonly index: string;
  readonly shard: number;
  readonly nodeId: string;
  readonly primary: boolean;
  readonly body: unknown;
}

/** Answers of all copies. `total` includes unassigned ones, as `_shards` of Elasticsearch does. */
export interface BroadcastAnswer {
  readonly total: number;
  readonly successful: number;
  readonly failed: number;
  readonly failures: readonly ShardFailure[];
  readonly shards: readonly ShardAnswer[];
}

/**
 * Which copies receive a call: all, primaries, or one of each shard, without targets of relocations; `assigned`: every
 * copy on a node, initializing ones and targets of relocations included.
 */
export type CopySelection = 'all' | 'primaries' | 'one' | 'assigned';

/** Returns the documents and fields of an index that the caller may see; null for all. */
export type LimitsOf = (index: IndexMetadata) => AccessLimits | null;

/** Answer of one node; `error` is null if it succeeded. */
export interface NodeAnswer {
  readonly nodeId: string;
  readonly body: unknown;
  readonly error: ApiError | null;
}

interface Wanted {
  readonly index: IndexMetadata;
  readonly copy: ShardRouting;
}

/** Returns the first active copy, which is the primary if that is active. */
function oneOf(copies: readonly ShardRouting[]): readonly ShardRouting[] {
  const active = copies.find(isActive) ?? copies[0];
  return active ? [active] : [];
}

/** Selects copies of a shard. The target of a relocation only counts with `assigned`. */
function select(all: readonly ShardRouting[], selection: CopySelection): readonly ShardRouting[] {
  if (selection === 'assigned') return all.filter((copy) => copy.nodeId !== null);
  const copies = all.filter((copy) => !isRelocationTarget(copy));
  if (selection === 'all') return copies;
  return selection === 'primaries' ? copies.filter((copy) => copy.primary) : oneOf(copies);
}

/** Sends a call to one copy. Throws the error of the copy or of the connection. */
export async function callCopy(
  context: CoordinatorContext,
  wanted: Wanted,
  action: string,
  body: Uint8Array,
  access: Uint8Array | undefined,
): Promise<unknown> {
  const answer = await sendMessage(context.channel(wanted.copy.nodeId!), shard.methods.call, {
    shard: { indexUuid: wanted.index.uuid, shard: wanted.copy.shard },
    indexName: wanted.index.name,
    action,
    body,
    access,
  });
  return decodeJson(answer.body);
}

/**
 * Sends a rare call (`flush`, `stats` …) to copies of indices and collects their answers. Failures of copies are part
 * of the result.
 */
export async function broadcast(
  context: CoordinatorContext,
  indices: readonly IndexMetadata[],
  action: string,
  body: unknown,
  selection: CopySelection,
  limitsOf: LimitsOf = () => null,
): Promise<BroadcastAnswer> {
  const routing = context.cluster.state().routing;
  const wanted = indices.flatMap((index) =>
    (routing.get(index.uuid) ?? []).flatMap((copies) => select(copies, selection).map((copy) => ({ index, copy }))),
  );
  const payload = encodeJson(body ?? {});
  const shards: ShardAnswer[] = [];
  const failures: ShardFailure[] = [];
  const asked = wanted.filter(({ copy }) => selection === 'assigned' || isActive(copy));
  await callCopies(context, asked, async (target) => {
    const { index, copy } = target;
    const access = limitsBytes(limitsOf(index), context.clock.now());
    try {
      shards.push(await callWhereItIs(context, target, action, payload, access));
    } catch (error) {
      failures.push({ index: index.name, shard: copy.shard, nodeId: copy.nodeId, error: context.apiError(error) });
    }
  });
  return { total: wanted.length, successful: shards.length, failed: failures.length, failures, shards };
}

/**
 * Calls a copy, and if it has moved to another node meanwhile, calls it there. Nodes do not apply a state at the same
 * moment: n2 has closed the copy that moved from n2 to n3, while this node's state has it on n2. Without the second
 * call its documents were on neither node.
 */
async function callWhereItIs(
  context: CoordinatorContext,
  wanted: Wanted,
  action: string,
  payload: Uint8Array,
  access: Uint8Array | undefined,
): Promise<ShardAnswer> {
  const call = async (copy: ShardRouting): Promise<ShardAnswer> => ({
    indexUuid: wanted.index.uuid,
    index: wanted.index.name,
    shard: copy.shard,
    nodeId: copy.nodeId!,
    primary: copy.primary,
    body: await callCopy(context, { index: wanted.index, copy }, action, payload, access),
  });
  const targetId = relocationTargetId(context, wanted.copy);
  try {
    return await call(wanted.copy);
  } catch (error) {
    if (targetId === null || !mayAnswerElsewhere(context.apiError(error))) throw error;
    const moved = await startedCopy(context, wanted.copy, targetId);
    if (!moved) throw error;
    return call(moved);
  }
}

/** Returns the allocation id of the copy that a relocating copy moves to; null if it stays. */
function relocationTargetId(context: CoordinatorContext, copy: ShardRouting): string | null {
  if (copy.state !== 'RELOCATING') return null;
  const isTargetOfCopy = (other: ShardRouting): boolean =>
    isRelocationTarget(other) && other.nodeId === copy.relocatingNodeId;
  return copiesOf(context.cluster.state(), copy).find(isTargetOfCopy)?.allocationId ?? null;
}

/**
 * Waits until the target of a relocation is active, at most `MOVE_WAIT_MS`; undefined if it is not. Before that it has
 * not all documents, and answers only when it is open.
 */
async function startedCopy(
  { cluster }: CoordinatorContext,
  copy: ShardRouting,
  allocationId: string,
): Promise<ShardRouting | undefined> {
  const started = (state: ClusterState): ShardRouting | undefined =>
    copiesOf(state, copy).find((other) => other.allocationId === allocationId && isActive(other));
  await cluster.waitFor((state) => started(state) !== undefined, MOVE_WAIT_MS);
  return started(cluster.state());
}

function copiesOf(state: ClusterState, { indexUuid, shard }: ShardRouting): readonly ShardRouting[] {
  return state.routing.get(indexUuid)?.[shard] ?? [];
}

/** Sends a call to nodes (`stats`, `tasks`, `hot_threads` …). The answer of a node that fails has its error. */
export async function callNodes(
  context: CoordinatorContext,
  nodeIds: readonly string[],
  action: string,
  body: unknown,
  options: RequestOptions = {},
): Promise<NodeAnswer[]> {
  const payload = encodeJson(body ?? {});
  return Promise.all(
    nodeIds.map(async (nodeId) => {
      try {
        const answer = await sendMessage(
          context.channel(nodeId),
          node.methods.call,
          { action, body: payload },
          options,
        );
        return { nodeId, body: decodeJson(answer.body), error: null };
      } catch (error) {
        return { nodeId, body: null, error: context.apiError(error) };
      }
    }),
  );
}

/** Sends a call to one copy of a shard; if that copy is missing or broken, to the next one. */
export async function callShard(
  context: CoordinatorContext,
  index: IndexMetadata,
  shardNumber: number,
  action: string,
  body: unknown,
  access?: Uint8Array,
): Promise<unknown> {
  const copies = (context.cluster.state().routing.get(index.uuid)?.[shardNumber] ?? []).filter(isActive);
  let last: ApiError = errors.noShardAvailable(null, {
    meta: { index_uuid: index.uuid, shard: String(shardNumber), index: index.name },
  });
  for (const copy of copies) {
    try {
      return await callCopy(context, { index, copy }, action, encodeJson(body ?? {}), access);
    } catch (error) {
      last = context.apiError(error);
      if (!mayAnswerElsewhere(last)) throw last;
    }
  }
  throw last;
}
