import { errors, toApiError } from '@shoal/errors';
import { isDataNode, type IndexMetadata, type NodeInfo, type ShardRouting, type UnassignedInfo } from '@shoal/state';
import { primaryOf } from '../../allocation/copies.js';
import { ShardEdits } from '../../allocation/shard-edits.js';
import type { ShardGroup } from '../../allocation/shard-group.js';
import {
  accept,
  type CommandContext,
  type CommandOutcome,
  copiesOf,
  refuse,
  type RerouteCommand,
  resolveNode,
} from './command.js';

type AllocatePrimary = Extract<RerouteCommand, { kind: 'allocate_stale_primary' | 'allocate_empty_primary' }>;

const decider = (command: AllocatePrimary): string => `${command.kind} (allocation command)`;

/** Throws if the node has no store for a stale primary. If stores are unknown, the node itself finds out. */
function checkStore({ task }: CommandContext, command: AllocatePrimary, meta: IndexMetadata, node: NodeInfo): void {
  const stores = task.stores?.(meta.uuid, command.shard);
  if (stores === undefined || stores === 'unknown') return;
  const where = stores.length === 0 ? 'on any node' : `on node [${command.node}]`;
  if (stores.some((store) => store.nodeId === node.id)) return;
  throw errors.illegalArgument(`No data for shard [${command.shard}] of index [${command.index}] found ${where}`);
}

function refusal(
  command: AllocatePrimary,
  primary: ShardRouting,
  node: NodeInfo,
  copies: readonly ShardRouting[],
): string | null {
  const name = `[${command.index}][${command.shard}]`;
  if (primary.state !== 'UNASSIGNED') return `primary ${name} is already assigned`;
  if (!isDataNode(node)) return `allocation can only be done on data nodes, not [${command.node}]`;
  if (copies.some((copy) => copy.nodeId === node.id))
    return `a copy of ${name} is already allocated to node [${command.node}]`;
  const isStale = command.kind === 'allocate_stale_primary';
  if (isStale && primary.recoverySource !== 'EXISTING_STORE')
    return `trying to allocate an existing primary shard ${name}, while no such shard has ever been active`;
  const mayLose = isStale || primary.unassigned?.reason !== 'INDEX_CREATED';
  if (!mayLose || command.acceptDataLoss) return null;
  return (
    `allocating ${isStale ? 'a stale' : 'an empty'} primary for ${name} can result in data loss. Please confirm by ` +
    'setting the accept_data_loss parameter to true'
  );
}

function emptyInfo(info: UnassignedInfo | null, nowMs: number): UnassignedInfo | null {
  if (!info || info.reason === 'INDEX_CREATED') return info;
  const details = `force empty allocation from previous reason ${info.reason}, ${info.details ?? 'null'}`;
  return { reason: 'FORCED_EMPTY_PRIMARY', atMs: nowMs, details, failedAttempts: 0 };
}

/**
 * Assigns the primary to the chosen node. If the shard was ever active, the new copy is the only in-sync one, in a new
 * term and with a new history.
 */
function forced(
  group: ShardGroup,
  primary: ShardRouting,
  command: AllocatePrimary,
  node: NodeInfo,
  { task }: CommandContext,
): ShardGroup {
  const allocationId = task.newUuid();
  const isStale = command.kind === 'allocate_stale_primary';
  const wasActive = group.inSync.length > 0;
  const placed: ShardRouting = {
    ...primary,
    state: 'INITIALIZING',
    nodeId: node.id,
    allocationId,
    recoverySource: isStale ? 'EXISTING_STORE' : 'EMPTY_STORE',
    ...(wasActive ? { isForced: true as const } : {}),
    unassigned: isStale ? primary.unassigned : emptyInfo(primary.unassigned, task.nowMs),
  };
  const copies = group.copies.map((copy) => (copy === primary ? placed : copy));
  return wasActive ? { copies, term: group.term + 1, inSync: [allocationId] } : { ...group, copies };
}

function run(context: CommandContext, command: AllocatePrimary): CommandOutcome {
  const node = resolveNode(context.state, command.node);
  const { meta, copies } = copiesOf(context.state, command);
  const primary = primaryOf(copies)!;
  if (command.kind === 'allocate_stale_primary' && primary.state === 'UNASSIGNED')
    checkStore(context, command, meta, node);
  const why = refusal(command, primary, node, copies);
  if (why !== null) return refuse(context, command, command.kind, decider(command), why);
  const edits = new ShardEdits(context.state);
  edits.set(meta.uuid, command.shard, forced(edits.group(meta.uuid, command.shard)!, primary, command, node, context));
  return accept(edits.finish(), command, [
    { decider: decider(command), decision: 'YES', explanation: 'ignore deciders' },
  ]);
}

/**
 * Makes a primary of the store of a node, or of an empty store: the last resort if no in-sync copy is left. Operations
 * that the store lacks are lost.
 */
export function allocatePrimary(context: CommandContext, command: AllocatePrimary): CommandOutcome {
  try {
    return run(context, command);
  } catch (error) {
    const { type, reason } = toApiError(error);
    if (!context.explain || (type === 'illegal_argument_exception' && reason?.startsWith('No data'))) throw error;
    return refuse(context, command, command.kind, decider(command), reason ?? '');
  }
}
