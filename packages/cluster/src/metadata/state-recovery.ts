import { parseTimeValue } from '@shoal/values';
import { dataNodes, type FlatSettings, type ClusterBlock, type ClusterState } from '@shoal/state';

/** Until the state of a cluster that was started as a whole is recovered, nothing is known about any index. */
export const NOT_RECOVERED_BLOCK: ClusterBlock = {
  id: 1,
  description: 'state not recovered / initialized',
  retryable: true,
  levels: ['read', 'write', 'metadata_read', 'metadata_write'],
  indexUuid: null,
};

const isNotRecovered = ({ id, indexUuid }: ClusterBlock): boolean =>
  id === NOT_RECOVERED_BLOCK.id && indexUuid === null;

/** Whether a cluster that was started as a whole still waits for its data nodes: no copy gets a place. */
export function waitsForNodes({ blocks }: ClusterState): boolean {
  return blocks.some(isNotRecovered);
}

const EXPECTED = 'gateway.expected_data_nodes';
const AFTER_NODES = 'gateway.recover_after_data_nodes';
const AFTER_TIME = 'gateway.recover_after_time';
/** With a number of nodes expected, and no time set. */
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
 * How long a cluster that was started as a whole waits before copies are placed, in milliseconds from when this was
 * first so: 0 with as many data nodes as `gateway.expected_data_nodes` says, Infinity with fewer than
 * `gateway.recover_after_data_nodes`, otherwise `gateway.recover_after_time`.
 */
export function recoveryDelayMs(state: ClusterState, nodeSettings: FlatSettings): number {
  const count = dataNodes(state).length;
  if (count < (countOf(nodeSettings, AFTER_NODES) ?? 0)) return Number.POSITIVE_INFINITY;
  const expected = countOf(nodeSettings, EXPECTED);
  if (expected !== null && count >= expected) return 0;
  return afterTimeMs(nodeSettings, expected);
}

/** The state of a cluster that starts as a whole, with the block where it has to wait. */
export function beginRecovery(state: ClusterState, nodeSettings: FlatSettings): ClusterState {
  if (waitsForNodes(state) || recoveryDelayMs(state, nodeSettings) === 0) return state;
  return { ...state, blocks: [...state.blocks, NOT_RECOVERED_BLOCK] };
}

/** The state without the block. */
export function endRecovery(state: ClusterState): ClusterState {
  return waitsForNodes(state) ? { ...state, blocks: state.blocks.filter((block) => !isNotRecovered(block)) } : state;
}

/** The state without the block when the nodes that it waits for are there. */
export function endMetRecovery(state: ClusterState, nodeSettings: FlatSettings): ClusterState {
  return waitsForNodes(state) && recoveryDelayMs(state, nodeSettings) === 0 ? endRecovery(state) : state;
}
