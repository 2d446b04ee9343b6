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
 * Content of a published state as it travels and as the state log keeps it: JSON of a difference to `base`, or of the
 * whole where that is null.
 */
export interface StateBody {
  readonly base: string | null;
  readonly bytes: Uint8Array;
}

/** The body that leads from `base` to `state`; the whole state without a base. */
export function encodeStateBody(state: ClusterState, base: ClusterState | null): StateBody {
  return base === null
    ? { base: null, bytes: encodeJson(stateToJson(state)) }
    : { base: base.stateUuid, bytes: encodeJson(diffState(base, state)) };
}

/** The state that a body leads to. Null: it is a difference to a state that `current` is not. */
export function decodeStateBody(body: StateBody, current: ClusterState): ClusterState | null {
  if (body.base === null) return stateFromJson(decodeJson(body.bytes) as Record<string, unknown>);
  return body.base === current.stateUuid ? applyDiff(current, decodeJson(body.bytes) as StateDiff) : null;
}

/** `base`: the state that it follows, to hash only what changed. */
export const digestOf = (state: ClusterState, base?: ClusterState): string => stateDigest(state, base);
