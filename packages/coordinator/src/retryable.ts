import type { ApiError } from '@shoal/errors';

/** Errors of a node that is not connected or disconnected during the request. */
const NODE_IS_GONE = new Set([
  'node_not_connected_exception',
  'node_disconnected_exception',
  'node_closed_exception',
  'connect_transport_exception',
]);

/** Errors of a copy that is not on the node or is not the primary: the cluster state used was old. */
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

/** Whether the node was not reached. */
export function isNodeGone(error: ApiError): boolean {
  return NODE_IS_GONE.has(error.type);
}

/** Whether the shard was not reached, so that the request may be retried. */
export function isUnavailable(error: ApiError): boolean {
  return isNodeGone(error) || SHARD_IS_ELSEWHERE.has(error.type);
}

/**
 * Whether another copy may answer a read: this one is missing, broken or overloaded. Errors of the request itself would
 * be the same on every copy.
 */
export function mayAnswerElsewhere(error: ApiError): boolean {
  return error.status >= 500 || error.status === 429 || isUnavailable(error);
}
