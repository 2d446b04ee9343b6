import { useCall } from '../../request/use-call.js';
import { addressOf, place } from '../../state/router.js';
import { Loaded } from '../../widgets/loaded.js';
import { Tabs } from '../../widgets/tabs.js';
import { Explorer } from './explorer.js';
import { JobList } from './job-list.js';
import { JobWizard } from './job-wizard.js';
import { readJob } from './ml-answers.js';
import { SingleMetric } from './single-metric.js';

/** Jobs of anomaly detection, a new one, or what one of them found. */
export function Page() {
  const { query } = place.value;
  const job = query.get('job');
  if (job !== null) return <OneJob key={job} id={job} />;
  return query.get('new') === 'true' ? <JobWizard /> : <AllJobs />;
}

function AllJobs() {
  const features = useCall('/_xpack');
  return (
    <>
      <h1 tabIndex={-1}>Machine learning</h1>
      <Loaded call={features}>
        {({ json }) => {
          const { ml } =
            ((json ?? {}) as { readonly features?: { readonly ml?: { readonly enabled?: boolean } } }).features ?? {};
          return ml?.enabled === true ? <JobList /> : <p>This cluster has no machine learning.</p>;
        }}
      </Loaded>
    </>
  );
}

function OneJob({ id }: { readonly id: string }) {
  const job = useCall(`/_ml/anomaly_detectors/${encodeURIComponent(id)}`);
  return (
    <>
      <p>
        <a href={addressOf('/app/ml')}>Machine learning</a>
      </p>
      <h1 tabIndex={-1}>{id}</h1>
      <Loaded call={job}>
        {({ json, text }) => {
          const read = readJob(json);
          if (read === null) return <p>There is no such job.</p>;
          return (
            <Tabs
              label="Parts of the job"
              tabs={[
                { id: 'anomalies', name: 'Anomalies', show: () => <Explorer job={read} /> },
                { id: 'metric', name: 'Single metric', show: () => <SingleMetric job={read} /> },
                {
                  id: 'definition',
                  name: 'Definition',
                  show: () => (
                    <pre tabIndex={0} aria-label="Definition of the job">
                      {read.textOf(text)}
                    </pre>
                  ),
                },
              ]}
            />
          );
        }}
      </Loaded>
    </>
  );
}
