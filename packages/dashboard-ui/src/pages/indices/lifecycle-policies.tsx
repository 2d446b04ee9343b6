import { JsonObjects } from '../../widgets/json-objects.js';
import { LifecycleSwitch } from '../../widgets/lifecycle-switch.js';
import { type ListedObject, readPolicies } from '../../widgets/listed-objects.js';
import { phasesText } from './phases.js';

const EXAMPLE = `{
  "policy": {
    "phases": {
      "hot": { "actions": { "rollover": { "max_age": "30d", "max_primary_shard_size": "50gb" } } },
      "delete": { "min_age": "90d", "actions": { "delete": {} } }
    }
  }
}`;

function usedBy({ json }: ListedObject): string {
  const { in_use_by: used = {} } = json as { readonly in_use_by?: Readonly<Record<string, readonly string[]>> };
  return Object.values(used).flat().join(', ');
}

/** Policies by which indices age. */
export const LifecyclePolicies = () => (
  <>
    <LifecycleSwitch path="/_ilm" name="Lifecycle management" />
    <JsonObjects
      key="policies"
      name="Lifecycle policies"
      one="lifecycle policy"
      path="/_ilm/policy"
      read={readPolicies(true)}
      example={EXAMPLE}
      lost="It must not be used any more; new indices of its templates are not aged."
      columns={[
        { name: 'Phases', show: ({ json }) => phasesText(json) },
        { name: 'Used by', show: usedBy },
      ]}
    />
  </>
);
