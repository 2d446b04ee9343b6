import type { ClusterState, ShardRouting } from './state.js';
import { applyDiff, diffState, type StateDiff } from './state-diff.js';
import { stateFromJson, stateToJson } from './state-json.js';

/** One record of the log; `payload` is JSON of a whole state or of a difference. */
export interface StateLogRecord {
  readonly kind: number;
  readonly payload: Uint8Array;
}

/** The durable log that a cluster service writes states to before they take effect; `store` has the implementation over files. */
export interface StateLog {
  readonly records: readonly StateLogRecord[];
  append(records: readonly StateLogRecord[]): Promise<void>;
  compact(records: readonly StateLogRecord[]): Promise<void>;
  sizeInBytes(): number;
  close(): Promise<void>;
}

export const WHOLE_STATE = 1;
export const STATE_DIFF = 2;

/** A log grows to this before it is replaced by one whole state. */
const LOG_BYTES_MAX = 4 << 20;

function encode(kind: number, value: unknown): StateLogRecord {
  return { kind, payload: new TextEncoder().encode(JSON.stringify(value)) };
}

function decode(record: StateLogRecord): unknown {
  return JSON.parse(new TextDecoder().decode(record.payload));
}

/** The last state that was written, or null for a new node. */
export function readLastState(log: StateLog): ClusterState | null {
  let state: ClusterState | null = null;
  for (const record of log.records) {
    if (record.kind === WHOLE_STATE) state = stateFromJson(decode(record) as Record<string, unknown>);
    else if (record.kind === STATE_DIFF && state) state = applyDiff(state, decode(record) as StateDiff);
  }
  return state;
}

export async function writeWholeState(log: StateLog, state: ClusterState): Promise<void> {
  await log.compact([encode(WHOLE_STATE, stateToJson(state))]);
}

/** Makes `next` durable as the successor of `previous`. */
export async function writeNextState(log: StateLog, previous: ClusterState, next: ClusterState): Promise<void> {
  if (log.sizeInBytes() > LOG_BYTES_MAX) return writeWholeState(log, next);
  return log.append([encode(STATE_DIFF, diffState(previous, next))]);
}

/** A copy after its node restarted: primaries and started copies come back from their own store, replicas look for a place again. */
export function afterRestart(copy: ShardRouting, nowMs: number): ShardRouting {
  const fresh = copy.recoverySource === 'EMPTY_STORE' || copy.recoverySource === 'LOCAL_SHARDS' || copy.recoverySource === 'SNAPSHOT';
  return {
    ...copy,
    state: 'UNASSIGNED',
    nodeId: null,
    relocatingNodeId: null,
    allocationId: null,
    recoverySource: copy.primary ? (fresh && copy.state !== 'STARTED' ? copy.recoverySource : 'EXISTING_STORE') : 'PEER',
    unassigned: { reason: 'CLUSTER_RECOVERED', atMs: nowMs, details: null, failedAttempts: 0 },
  };
}
