import type { ClusterState } from '../state.js';

const MAP_PARTS = ['nodes', 'indices', 'routing', 'customs'] as const;

/** Converts a state to JSON. Maps become objects with the same order of entries. */
export function stateToJson(state: ClusterState): Record<string, unknown> {
  const json: Record<string, unknown> = { ...state };
  for (const part of MAP_PARTS) json[part] = Object.fromEntries(state[part] as ReadonlyMap<string, unknown>);
  return json;
}

/** Converts the result of `stateToJson` back. Its shape is not checked: only this program writes it. */
export function stateFromJson(json: Record<string, unknown>): ClusterState {
  const state: Record<string, unknown> = { votingConfiguration: [], ...json };
  for (const part of MAP_PARTS) state[part] = new Map(Object.entries(json[part] as Record<string, unknown>));
  return state as unknown as ClusterState;
}
