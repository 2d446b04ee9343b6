import type { ClusterState } from '../state.js';

const MAP_PARTS = ['nodes', 'indices', 'routing', 'customs'] as const;

/** The state as JSON: maps become objects, in their order. */
export function stateToJson(state: ClusterState): Record<string, unknown> {
  const json: Record<string, unknown> = { ...state };
  for (const part of MAP_PARTS) json[part] = Object.fromEntries(state[part] as ReadonlyMap<string, unknown>);
  return json;
}

/** Reads what `stateToJson` wrote. The bytes come from this program only, so that their shape is not checked again. */
export function stateFromJson(json: Record<string, unknown>): ClusterState {
  const state: Record<string, unknown> = { votingConfiguration: [], ...json };
  for (const part of MAP_PARTS) state[part] = new Map(Object.entries(json[part] as Record<string, unknown>));
  return state as unknown as ClusterState;
}
