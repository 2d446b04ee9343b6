import { clusterCall, reasonOf } from '../../request/own-call.js';
import { useCall } from '../../request/use-call.js';
import { message } from '../../state/session.js';
import { DataTable } from '../../widgets/data-table.js';
import { Loaded } from '../../widgets/loaded.js';

/** A policy as the cluster answers it. */
interface Policy {
  readonly policy: { readonly name: string; readonly schedule: string; readonly repository: string };
  readonly next_execution_millis?: number;
  readonly last_success?: { readonly snapshot_name: string };
  readonly last_failure?: { readonly details?: string };
}

/** Policies that take snapshots by themselves. */
export function Policies() {
  const list = useCall('/_slm/policy');
  const run = async (name: string): Promise<void> => {
    const answer = await clusterCall('POST', `/_slm/policy/${encodeURIComponent(name)}/_execute`);
    const { snapshot_name: snapshot } = (answer.json ?? {}) as { snapshot_name?: string };
    message.value = answer.status === 200 ? `The snapshot ${snapshot} is being taken.` : reasonOf(answer);
    list.again();
  };
  return (
    <Loaded call={list}>
      {({ json }) => (
        <DataTable
          caption="Policies"
          rows={Object.entries((json ?? {}) as Record<string, Policy>)}
          keyOf={([name]) => name}
          empty="There is no policy yet: PUT /_slm/policy in the console makes one."
          columns={[
            { name: 'Name', show: ([name]) => name, sort: ([name]) => name },
            { name: 'Schedule', show: ([, { policy }]) => policy.schedule },
            { name: 'Repository', show: ([, { policy }]) => policy.repository },
            { name: 'Last success', show: ([, { last_success: last }]) => last?.snapshot_name ?? '–' },
            {
              name: 'Next',
              show: ([, { next_execution_millis: at }]) => (at === undefined ? '–' : new Date(at).toISOString()),
            },
            {
              name: 'Actions',
              show: ([name]) => (
                <button type="button" aria-label={`Run ${name}`} onClick={() => void run(name)}>
                  Run
                </button>
              ),
            },
          ]}
        />
      )}
    </Loaded>
  );
}
