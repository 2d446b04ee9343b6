import { templatesOfPolicy } from '@shoal/cluster';
import { errors } from '@shoal/errors';
import { type ClusterState, dataStreams, indicesOfPolicy, policyNameOf } from '@shoal/state';
import { matchesWildcard } from '@shoal/values';
import { allPolicies } from './built-in-policies.js';

/** The error of a policy that is not there. */
export const policyMissing = (name: string): Error => errors.resourceNotFound(`Lifecycle policy not found: ${name}`);

/** Names that a request selects: names, or one pattern. Throws resource_not_found_exception. */
function selected(known: readonly string[], names: readonly string[]): readonly string[] {
  if (names.length === 0) return known;
  if (names.length > 1 && names.some((name) => name.includes('*')))
    throw errors.illegalArgument(
      'wildcard only supports a single value, please use comma-separated values or a single wildcard value',
    );
  const found = known.filter((name) => names.some((wanted) => matchesWildcard(wanted, name)));
  const missing = names.filter((name) => !name.includes('*') && !found.includes(name));
  if (missing.length > 0) throw policyMissing(missing.join(','));
  return found;
}

function usersOf(state: ClusterState, policy: string): Record<string, readonly string[]> {
  const streams = dataStreams(state).filter(({ indices }) => {
    const writeIndex = state.indices.get(indices.at(-1) ?? '');
    return writeIndex !== undefined && policyNameOf(writeIndex) === policy;
  });
  return {
    indices: indicesOfPolicy(state, policy),
    data_streams: streams.map(({ name }) => name).sort(),
    composable_templates: templatesOfPolicy(state, policy),
  };
}

/** The answer of `GET _ilm/policy`. */
export function policiesJson(state: ClusterState, names: readonly string[]): Record<string, unknown> {
  const all = allPolicies(state);
  const shown = selected(Object.keys(all).sort(), names).map((name) => {
    const { version, modifiedMs, policy } = all[name]!;
    const modified = new Date(modifiedMs).toISOString();
    return [name, { version, modified_date: modified, policy, in_use_by: usersOf(state, name) }];
  });
  return Object.fromEntries(shown);
}
