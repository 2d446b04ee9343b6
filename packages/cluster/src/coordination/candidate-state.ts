import { decodeJson, encodeJson } from '@shoal/json';
import {
  stateDigest,
  type ClusterState,
  applyDiff,
  diffState,
  type StateDiff,
  stateFromJson,
  stateToJson,
} from '@shoal/state';

/**
 * Body of a published state, as sent and as kept in the state log: JSON of a difference to the state `base`, or of the
 * whole state if `base` is null.
 */
export interface StateBody {
  readonly base: string | null;
  readonly bytes: Uint8Array;
}

/** Encodes the difference from `base` to `state`, or the whole state if `base` is null. */
export function encodeStateBody(state: ClusterState, base: ClusterState | null): StateBody {
  return base === null
    ? { base: null, bytes: encodeJson(stateToJson(state)) }
    : { base: base.stateUuid, bytes: encodeJson(diffState(base, state)) };
}

/** Decodes a body. Null if it is a difference to another state than `current`. */
export function decodeStateBody(body: StateBody, current: ClusterState): ClusterState | null {
  if (body.base === null) return stateFromJson(decodeJson(body.bytes) as Record<string, unknown>);
  return body.base === current.stateUuid ? applyDiff(current, decodeJson(body.bytes) as StateDiff) : null;
}

/** Computes the digest of a state. `base` is its predecessor: only changes are hashed. */
export const digestOf = (state: ClusterState, base?: ClusterState): string => stateDigest(state, base);
