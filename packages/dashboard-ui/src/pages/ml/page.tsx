import { isMissingCall } from '../../request/missing-call.js';
import { useCall } from '../../request/use-call.js';
import { addressOf, place } from '../../state/router.js';
import { Loaded } from '../../widgets/loaded.js';
import { Tabs } from '../../widgets/tabs.js';
import { AnalyticsForm } from './analytics-form.js';
import { AnalyticsList } from './analytics-list.js';
import { AnalyticsView } from './analytics-view.js';
import { Annotations } from './annotations.js';
import { Calendars, CalendarView } from './calendars.js';
import { Explorer } from './explorer.js';
import { Forecasts } from './forecasts.js';
import { JobList } from './job-list.js';
import { JobWizard } from './job-wizard.js';
import { readJob } from './ml-answers.js';
import { SingleMetric } from './single-metric.js';

/** Jobs, analyses and calendars, a new one, or one of them. */
export function Page() {
  const { query } = place.value;
  const [job, analysis, calendar] = ['job', 'analysis', 'calendar'].map((name) => query.get(name));
  if (job != null) return <OneJob key={job} id={job} />;
  if (analysis != null) return <AnalyticsView key={analysis} id={analysis} />;
  if (calendar != null) return <CalendarView key={calendar} id={calendar} />;
  if (query.get('new') === 'true') return query.get('tab') === 'analytics' ? <AnalyticsForm /> : <JobWizard />;
  return <Everything />;
}

function Everything() {
  const features = useCall('/_xpack');
  const isMissing = features.failure !== null && isMissingCall(features.failure);
  return (
    <>
      <h1 tabIndex={-1}>Machine learning</h1>
      {isMissing ? (
        <Absent />
      ) : (
        <Loaded call={features}>
          {({ json }) => {
            const { ml } =
              ((json ?? {}) as { readonly features?: { readonly ml?: { readonly enabled?: boolean } } }).features ?? {};
            return ml?.enabled === true ? <Parts /> : <Absent />;
          }}
        </Loaded>
      )}
    </>
  );
}

const Absent = () => <p>This cluster has no machine learning.</p>;

const Parts = () => (
  <Tabs
    label="Parts of machine learning"
    tabs={[
      { id: 'jobs', name: 'Anomaly detection', show: () => <JobList /> },
      { id: 'analytics', name: 'Data frame analytics', show: () => <AnalyticsList /> },
      { id: 'calendars', name: 'Calendars', show: () => <Calendars /> },
    ]}
  />
);

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
                { id: 'forecasts', name: 'Forecasts', show: () => <Forecasts job={read} /> },
                { id: 'annotations', name: 'Annotations', show: () => <Annotations job={read} /> },
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
