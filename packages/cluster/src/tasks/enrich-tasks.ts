import { errors } from '@shoal/errors';
import { type ClusterState, section, sectionEntry } from '@shoal/state';
import { withEntry, withoutKeys, withSection } from '../metadata/edit-state.js';
import { ACKNOWLEDGED, defineTask } from './task.js';

/** Body of `putEnrichPolicy`: the policy was validated by the node that got the request. */
export interface PutEnrichPolicyBody {
  readonly name: string;
  readonly policy: Readonly<Record<string, unknown>>;
}

/** Stores an enrich policy. Policies never change: throws resource_already_exists_exception for a known name. */
export const putEnrichPolicy = defineTask<PutEnrichPolicyBody>({
  name: 'put-enrich-policy',
  priority: 'NORMAL',
  source: ({ name }) => `put-enrich-policy-${name}`,
  apply(state, { name, policy }) {
    if (sectionEntry(state, 'enrichPolicies', name) !== undefined)
      throw errors.resourceAlreadyExists(`policy [${name}] already exists`);
    return { state: withEntry(state, 'enrichPolicies', name, policy), answer: ACKNOWLEDGED };
  },
});

/** Body of `deleteEnrichPolicy`. */
export interface DeleteEnrichPolicyBody {
  readonly name: string;
}

/** Deletes an enrich policy, unless a pipeline uses it. Its indices are deleted by the caller. */
export const deleteEnrichPolicy = defineTask<DeleteEnrichPolicyBody>({
  name: 'delete-enrich-policy',
  priority: 'NORMAL',
  source: ({ name }) => `delete-enrich-policy-${name}`,
  apply(state, { name }) {
    if (sectionEntry(state, 'enrichPolicies', name) === undefined)
      throw errors.resourceNotFound(`policy [${name}] not found`);
    const users = pipelinesOfPolicy(state, name);
    if (users.length > 0) {
      const reason = `Could not delete policy [${name}] because a pipeline is referencing it [${users.join(', ')}]`;
      throw errors.status(reason, { status: 409 });
    }
    const policies = withoutKeys(section(state, 'enrichPolicies'), new Set([name]));
    return { state: withSection(state, 'enrichPolicies', policies), answer: ACKNOWLEDGED };
  },
});

/** Names of the pipelines with an enrich processor of the policy, also inside other processors. */
function pipelinesOfPolicy(state: ClusterState, policy: string): string[] {
  const pipelines = Object.entries(section(state, 'pipelines'));
  return pipelines.filter(([, body]) => usesPolicy(body, policy)).map(([name]) => name);
}

function usesPolicy(json: unknown, policy: string): boolean {
  if (typeof json !== 'object' || json === null) return false;
  return Object.entries(json).some(
    ([key, value]: [string, unknown]) =>
      (key === 'enrich' && (value as { policy_name?: unknown } | null)?.policy_name === policy) ||
      usesPolicy(value, policy),
  );
}
