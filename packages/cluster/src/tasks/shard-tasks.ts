import { allocate, unassignedShard } from '../allocation/allocate.js';
import { indexSetting } from '../settings/index-settings.js';
import type { ClusterState, IndexMetadata, ShardRouting } from '../state.js';
import { withIndex, withRouting } from '../state-edit.js';
import { ACKNOWLEDGED, defineTask, type TaskContext, type TaskResult } from './task.js';

export interface ShardStartedBody {
  readonly indexUuid: string;
  readonly shard: number;
  readonly allocationId: string;
}

export interface ShardFailedBody extends ShardStartedBody {
  /** What went wrong, as the node encoded it. */
  readonly failure: { readonly type: string; readonly reason: string | null };
}

function copyOf(state: ClusterState, { indexUuid, shard, allocationId }: ShardStartedBody): { copies: readonly ShardRouting[]; copy: ShardRouting } | null {
  const copies = state.routing.get(indexUuid)?.[shard];
  const copy = copies?.find((candidate) => candidate.allocationId === allocationId);
  return copies && copy ? { copies, copy } : null;
}

function withCopies(state: ClusterState, uuid: string, shard: number, copies: readonly ShardRouting[]): ClusterState {
  return withRouting(state, uuid, state.routing.get(uuid)!.with(shard, copies));
}

function withInSync(meta: IndexMetadata, shard: number, ids: readonly string[]): IndexMetadata {
  return { ...meta, inSync: meta.inSync.with(shard, ids), version: meta.version + 1 };
}

/** A fresh or recovered primary is alone in the in-sync set when it had no predecessor in it; others join. */
function admitted(meta: IndexMetadata, copy: ShardRouting, allocationId: string): IndexMetadata {
  const known = meta.inSync[copy.shard] ?? [];
  if (known.includes(allocationId)) return meta;
  return withInSync(meta, copy.shard, copy.primary ? [allocationId] : [...known, allocationId]);
}

function started(state: ClusterState, body: ShardStartedBody, context: TaskContext): TaskResult {
  const found = copyOf(state, body);
  const meta = state.indices.get(body.indexUuid);
  if (!found || !meta || found.copy.state !== 'INITIALIZING') return { state, answer: ACKNOWLEDGED };
  const copy: ShardRouting = { ...found.copy, state: 'STARTED', recoverySource: null, unassigned: null };
  const copies = found.copies.map((other) => (other === found.copy ? copy : other));
  const routed = withCopies(state, body.indexUuid, body.shard, copies);
  return { state: allocate(withIndex(routed, admitted(meta, copy, body.allocationId)), context), answer: ACKNOWLEDGED };
}

export const shardStarted = defineTask<ShardStartedBody>({
  name: 'shard-started',
  priority: 'URGENT',
  source: ({ indexUuid, shard }) => `shard-started [${indexUuid}][${shard}]`,
  apply: started,
});

function failedCopy(copy: ShardRouting, reason: string, nowMs: number): ShardRouting {
  const attempts = (copy.unassigned?.failedAttempts ?? 0) + 1;
  const base = unassignedShard(copy.indexUuid, copy.shard, copy.primary, { reason: 'ALLOCATION_FAILED', atMs: nowMs }, copy.primary ? copy.recoverySource ?? 'EXISTING_STORE' : 'PEER');
  return { ...base, unassigned: { reason: 'ALLOCATION_FAILED', atMs: nowMs, details: `failed shard on node [${copy.nodeId}]: ${reason}`, failedAttempts: attempts } };
}

/** A started in-sync replica takes the place of a failed primary; its term rises. */
function promote(copies: readonly ShardRouting[], meta: IndexMetadata, shard: number): { copies: readonly ShardRouting[]; meta: IndexMetadata } | null {
  const heir = copies.find((copy) => !copy.primary && copy.state === 'STARTED' && meta.inSync[shard]?.includes(copy.allocationId ?? ''));
  if (!heir) return null;
  const primary: ShardRouting = { ...heir, primary: true };
  const others = copies.filter((copy) => copy !== heir).map((copy): ShardRouting => (copy.primary ? { ...copy, primary: false, recoverySource: 'PEER' } : copy));
  const primaryTerms = meta.primaryTerms.with(shard, meta.primaryTerms[shard]! + 1);
  return { copies: [primary, ...others], meta: { ...meta, primaryTerms, version: meta.version + 1 } };
}

function failed(state: ClusterState, body: ShardFailedBody, context: TaskContext): TaskResult {
  const found = copyOf(state, body);
  const meta = state.indices.get(body.indexUuid);
  if (!found || !meta) return { state, answer: ACKNOWLEDGED };
  const dead = failedCopy(found.copy, `${body.failure.type}: ${body.failure.reason}`, context.nowMs);
  const copies = found.copies.map((copy) => (copy === found.copy ? dead : copy));
  const promoted = found.copy.primary ? promote(copies, meta, body.shard) : null;
  const known = meta.inSync[body.shard] ?? [];
  const remaining = known.filter((id) => id !== body.allocationId);
  const survivors = promoted?.meta ?? meta;
  const next = remaining.length === known.length || remaining.length === 0 ? survivors : withInSync(survivors, body.shard, remaining);
  const routed = withIndex(withCopies(state, body.indexUuid, body.shard, promoted?.copies ?? copies), next);
  const retries = Number(indexSetting(meta.settings, 'index.allocation.max_retries'));
  return { state: (dead.unassigned?.failedAttempts ?? 0) < retries ? allocate(routed, context) : routed, answer: ACKNOWLEDGED };
}

export const shardFailed = defineTask<ShardFailedBody>({
  name: 'shard-failed',
  priority: 'IMMEDIATE',
  source: ({ indexUuid, shard }) => `shard-failed [${indexUuid}][${shard}]`,
  apply: failed,
});
