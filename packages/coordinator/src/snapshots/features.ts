import type { ClusterState, IndexMetadata } from '@shoal/state';
import { errors } from '@shoal/errors';
import { matchesAny } from '@shoal/values';

/** A feature that keeps what it knows in indices of its own, which snapshots hold as one. */
export interface Feature {
  readonly name: string;
  readonly description: string;
  /** Patterns of the names of its indices. */
  readonly indices: readonly string[];
}

/** Features whose states snapshots hold, by name. */
export const FEATURES: readonly Feature[] = [
  { name: 'enrich', description: 'Manages data related to Enrich policies', indices: ['.enrich-*'] },
  {
    name: 'machine_learning',
    description: 'Provides anomaly detection and forecasting functionality',
    indices: ['.ml-*'],
  },
  { name: 'synonyms', description: 'Manages synonyms', indices: ['.synonyms*'] },
  { name: 'tasks', description: 'Manages task results', indices: ['.tasks*'] },
  {
    name: 'transform',
    description: 'Manages configuration and state for transforms',
    indices: ['.transform-internal-*'],
  },
];

/** Indices of a feature in a snapshot. */
export interface FeatureState {
  readonly feature_name: string;
  readonly indices: readonly string[];
}

/**
 * Names of the features that a body wants: `feature_states`, or all with the global state and none without. Throws
 * illegal_argument_exception for others.
 */
export function wantedFeatures(given: readonly string[], withGlobalState: boolean): readonly string[] {
  const all = FEATURES.map(({ name }) => name);
  if (given.length === 0) return withGlobalState ? all : [];
  if (given.includes('none')) {
    if (given.length === 1) return [];
    throw errors.illegalArgument(
      'the feature_states value [none] indicates that no feature states should be used, but other feature states ' +
        `were requested: [${given.join(', ')}]`,
    );
  }
  const odd = given.find((name) => !all.includes(name));
  if (odd !== undefined) throw errors.illegalArgument(`feature_states: there is no feature [${odd}]`);
  return [...new Set(given)];
}

/** Existing indices of features, by feature; features without any are left out unless they have other state. */
export function featureIndices(
  state: ClusterState,
  features: readonly string[],
): readonly { readonly feature: string; readonly indices: readonly IndexMetadata[] }[] {
  const all = [...state.indices.values()].filter(({ state: open }) => open === 'open');
  return FEATURES.filter(({ name }) => features.includes(name)).map(({ name, indices }) => ({
    feature: name,
    indices: all.filter((index) => matchesAny(indices, index.name)),
  }));
}
