import { parseTimeValue } from '@shoal/values';
import { dataNodes } from '../allocation/copies.js';
import type { FlatSettings, ClusterBlock, ClusterState } from '@shoal/state';

/** Block of a cluster that was fully restarted, until it has waited for its data nodes. */
export const NOT_RECOVERED_BLOCK: ClusterBlock = {
  id: 1,
  description: 'state not recovered / initialized',
  retryable: true,
  levels: ['read', 'write', 'metadata_read', 'metadata_write'],
  indexUuid: null,
};

const isNotRecovered = ({ id, indexUuid }: ClusterBlock): boolean =>
  id === NOT_RECOVERED_BLOCK.id && indexUuid === null;

/** Whether a fully restarted cluster still waits for its data nodes. Until then no copy is assigned. */
export function waitsForNodes({ blocks }: ClusterState): boolean {
  return blocks.some(isNotRecovered);
}

const EXPECTED = 'gateway.expected_data_nodes';
const AFTER_NODES = 'gateway.recover_after_data_nodes';
const AFTER_TIME = 'gateway.recover_after_time';
/** Default of `gateway.recover_after_time` if `gateway.expected_data_nodes` is set. */
const AFTER_TIME_MS = 300_000;

function countOf(settings: FlatSettings, name: string): number | null {
  const count = Number(settings[name] ?? -1);
  return count < 0 ? null : count;
}

function afterTimeMs(settings: FlatSettings, expected: number | null): number {
  const given = settings[AFTER_TIME];
  if (typeof given === 'string') return parseTimeValue(given, AFTER_TIME);
  return expected === null ? 0 : AFTER_TIME_MS;
}

/**
 * Returns how long a fully restarted cluster waits before it assigns copies, in milliseconds since it first had these
 * nodes. 0 with `gateway.expected_data_nodes` data nodes, Infinity with fewer than `gateway.recover_after_data_nodes`,
 * otherwise `gateway.recover_after_time`.
 */
export function recoveryDelayMs(state: ClusterState, nodeSettings: FlatSettings): number {
  const count = dataNodes(state).length;
  if (count < (countOf(nodeSettings, AFTER_NODES) ?? 0)) return Number.POSITIVE_INFINITY;
  const expected = countOf(nodeSettings, EXPECTED);
  if (expected !== null && count >= expected) return 0;
  return afterTimeMs(nodeSettings, expected);
}

/** Returns the state of a cluster that starts, with the block if it has to wait. */
export function beginRecovery(state: ClusterState, nodeSettings: FlatSettings): ClusterState {
  if (waitsForNodes(state) || recoveryDelayMs(state, nodeSettings) === 0) return state;
  return { ...state, blocks: [...state.blocks, NOT_RECOVERED_BLOCK] };
}

/** Returns the state without the block. */
export function endRecovery(state: ClusterState): ClusterState {
  return waitsForNodes(state) ? { ...state, blocks: state.blocks.filter((block) => !isNotRecovered(block)) } : state;
}

/** Returns the state without the block if the awaited nodes have joined. */
export function endMetRecovery(state: ClusterState, nodeSettings: FlatSettings): ClusterState {
  return waitsForNodes(state) && recoveryDelayMs(state, nodeSettings) === 0 ? endRecovery(state) : state;
}
