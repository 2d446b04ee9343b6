import type { ApiError } from '@shoal/errors';

/** The node cannot be asked, or stopped being there while it was. */
const NODE_IS_GONE = new Set([
  'node_not_connected_exception',
  'node_disconnected_exception',
  'node_closed_exception',
  'connect_transport_exception',
]);

/** The shard is not where it was looked for, or is not what it was taken for: the state that was looked at is old. */
const SHARD_IS_ELSEWHERE = new Set([
  'no_shard_available_action_exception',
  'shard_not_found_exception',
  'shard_not_in_primary_mode_exception',
  'illegal_index_shard_state_exception',
  'index_shard_closed_exception',
  'already_closed_exception',
  'stale_primary_term_exception',
  'wrong_shard_copy_exception',
  'no_longer_primary_shard_exception',
  'retry_on_primary_exception',
  'retry_on_replica_exception',
  'unavailable_shards_exception',
]);

/** Whether a node was not there to answer. */
export function isNodeGone(error: ApiError): boolean {
  return NODE_IS_GONE.has(error.type);
}

/** Whether a shard could not be reached rather than that it failed. */
export function isUnavailable(error: ApiError): boolean {
  return isNodeGone(error) || SHARD_IS_ELSEWHERE.has(error.type);
}

/**
 * Whether another copy of a shard may answer a read: this one is not there, broken or too busy. What is wrong with the
 * request itself fails everywhere.
 */
export function mayAnswerElsewhere(error: ApiError): boolean {
  return error.status >= 500 || error.status === 429 || isUnavailable(error);
}
