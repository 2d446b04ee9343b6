import { clusterCall, reasonOf } from '../../request/own-call.js';
import { useCall } from '../../request/use-call.js';
import { message } from '../../state/session.js';
import { Facts } from '../../widgets/facts.js';
import { Loaded } from '../../widgets/loaded.js';
import { inPath } from './index-rows.js';

/** Where an index is in its life, as the two features explain it. */
interface Explained {
  readonly managed?: boolean;
  readonly managed_by_lifecycle?: boolean;
  readonly policy?: string;
  readonly age?: string;
  readonly time_since_index_creation?: string;
  readonly phase?: string;
  readonly action?: string;
  readonly step?: string;
  readonly failed_step?: string;
  readonly step_info?: { readonly type?: string; readonly reason?: string; readonly message?: string };
  readonly lifecycle?: { readonly data_retention?: string };
  readonly error?: string;
}

/** Where an index is in its life, and what keeps it there. */
export function IndexLifecycle({ index }: { readonly index: string }) {
  const policy = useCall(`/${inPath(index)}/_ilm/explain`);
  const stream = useCall(`/${inPath(index)}/_lifecycle/explain`);
  const run = async (end: string): Promise<void> => {
    const answer = await clusterCall('POST', `/${inPath(index)}/_ilm/${end}`);
    message.value = answer.status === 200 ? 'Done.' : reasonOf(answer);
    policy.again();
  };
  const of = (json: unknown): Explained =>
    ((json ?? {}) as { readonly indices?: Readonly<Record<string, Explained>> }).indices?.[index] ?? {};
  return (
    <>
      <h2>Lifecycle policy</h2>
      <Loaded call={policy}>{({ json }) => <PolicyPart explained={of(json)} run={run} />}</Loaded>
      <h2>Lifecycle of the data stream</h2>
      <Loaded call={stream}>
        {({ json }) => {
          const { managed_by_lifecycle: isManaged, time_since_index_creation: age, lifecycle, error } = of(json);
          if (isManaged !== true) return <p>No lifecycle of a data stream manages it.</p>;
          return (
            <>
              {error !== undefined && (
                <p role="alert" class="problem">
                  {error}
                </p>
              )}
              <Facts
                facts={[
                  ['Age', age ?? '–'],
                  ['Kept', lifecycle?.data_retention ?? 'for ever'],
                ]}
              />
            </>
          );
        }}
      </Loaded>
    </>
  );
}

/** Props of the part about the policy. */
interface PolicyPartProps {
  readonly explained: Explained;
  readonly run: (end: string) => Promise<void>;
}

function PolicyPart({ explained, run }: PolicyPartProps) {
  if (explained.managed !== true) return <p>No lifecycle policy manages it.</p>;
  const { policy, age, phase, action, step, failed_step: failed, step_info: info } = explained;
  return (
    <>
      {failed !== undefined && (
        <p role="alert" class="problem">
          The step {failed} failed: {info?.reason ?? ''}
        </p>
      )}
      <Facts
        facts={[
          ['Policy', policy ?? '–'],
          ['Age', age ?? '–'],
          ['Phase', phase ?? '–'],
          ['Action', action ?? '–'],
          ['Step', step ?? '–'],
        ]}
      />
      {info?.message !== undefined && <p>{info.message}</p>}
      <div class="row">
        {failed !== undefined && (
          <button type="button" onClick={() => void run('retry')}>
            Retry
          </button>
        )}
        <button type="button" onClick={() => void run('remove')}>
          Remove policy
        </button>
      </div>
    </>
  );
}
