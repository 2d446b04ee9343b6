import { clusterCall, reasonOf } from '../../request/own-call.js';
import { formatDateTime } from '../../state/format.js';
import { message } from '../../state/session.js';
import { JsonObjects } from '../../widgets/json-objects.js';
import { LifecycleSwitch } from '../../widgets/lifecycle-switch.js';
import { type ListedObject, readPolicies } from '../../widgets/listed-objects.js';

/** A policy as the cluster answers it. */
interface SnapshotPolicy {
  readonly policy?: { readonly schedule?: string; readonly repository?: string };
  readonly next_execution_millis?: number;
  readonly last_success?: { readonly snapshot_name: string };
  readonly last_failure?: { readonly snapshot_name: string };
}

const EXAMPLE = `{
  "schedule": "0 30 1 * * ?",
  "name": "<nightly-{now/d}>",
  "repository": "backup",
  "config": { "indices": ["*"] },
  "retention": { "expire_after": "30d", "min_count": 5, "max_count": 50 }
}`;

const of = ({ json }: ListedObject): SnapshotPolicy => json as SnapshotPolicy;

async function execute(name: string, again: () => void): Promise<void> {
  const answer = await clusterCall('POST', `/_slm/policy/${encodeURIComponent(name)}/_execute`);
  const { snapshot_name: snapshot } = (answer.json ?? {}) as { readonly snapshot_name?: string };
  message.value = answer.status === 200 ? `The snapshot ${snapshot} is being taken.` : reasonOf(answer);
  again();
}

/** Policies that take snapshots by themselves, and delete old ones. */
export const Policies = () => (
  <>
    <LifecycleSwitch path="/_slm" name="Snapshot management" />
    <JsonObjects
      key="snapshot-policies"
      name="Policies"
      one="policy"
      path="/_slm/policy"
      read={readPolicies(false)}
      example={EXAMPLE}
      lost="Its snapshots stay, and are not deleted by themselves any more."
      columns={[
        { name: 'Schedule', show: (one) => of(one).policy?.schedule ?? '–' },
        { name: 'Repository', show: (one) => of(one).policy?.repository ?? '–' },
        { name: 'Last success', show: (one) => of(one).last_success?.snapshot_name ?? '–' },
        { name: 'Last failure', show: (one) => of(one).last_failure?.snapshot_name ?? '–' },
        {
          name: 'Next',
          show: (one) => {
            const { next_execution_millis: at } = of(one);
            return at === undefined ? '–' : formatDateTime(at);
          },
        },
      ]}
      actions={({ id }, again) => (
        <button type="button" aria-label={`Run ${id}`} onClick={() => void execute(id, again)}>
          Run
        </button>
      )}
    />
  </>
);
