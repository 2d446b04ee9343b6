import { useEffect, useState } from 'preact/hooks';
import { type Field, isLeafField, timeFieldOf } from '../../explore/fields.js';
import { indicesPath } from '../../explore/use-search.js';
import { type Answer, clusterCall, reasonOf } from '../../request/own-call.js';
import { addressOf, goTo } from '../../state/router.js';
import { message } from '../../state/session.js';
import {
  feedBody,
  feedIdOf,
  jobBody,
  type JobForm,
  jobProblem,
  MEASURES,
  type Measure,
  readSeries,
} from './job-body.js';
import { type SeriesPoint, seriesBody } from './job-body.js';
import { Choice } from './choice.js';
import { SeriesChart } from './series-chart.js';
import { useIndexFields } from './use-index-fields.js';

const EMPTY: JobForm = {
  id: '',
  indices: '',
  timeField: '',
  measure: 'count',
  field: '',
  splitBy: '',
  bucketSpan: '15m',
};

const NUMBERS = new Set(['long', 'integer', 'short', 'byte', 'double', 'float', 'half_float', 'scaled_float']);

/** A job of one detector over indices, with the series that it will look at. */
export function JobWizard() {
  const [form, setForm] = useState(EMPTY);
  const [problem, setProblem] = useState('');
  const [isBusy, setBusy] = useState(false);
  const fields = useIndexFields(form.indices, setProblem);
  const timeField = timeFieldOf(fields, null) ?? '';
  const whole = { ...form, timeField };
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const wrong = jobProblem(whole);
    if (wrong !== null) return setProblem(wrong);
    setBusy(true);
    const failed = await create(whole);
    setBusy(false);
    if (failed !== null) return setProblem(reasonOf(failed));
    message.value = `The job ${form.id} was created and reads its data.`;
    goTo(`/app/ml?job=${encodeURIComponent(form.id)}`);
  };
  return (
    <>
      <p>
        <a href={addressOf('/app/ml')}>Machine learning</a>
      </p>
      <h1 tabIndex={-1}>Create job</h1>
      <form class="form" onSubmit={(event) => void submit(event as SubmitEvent)}>
        {problem !== '' && (
          <p role="alert" class="problem">
            {problem}
          </p>
        )}
        <JobFields form={whole} fields={fields} onChange={(part) => setForm({ ...form, ...part })} />
        <div class="row">
          <button type="submit" class="primary" disabled={isBusy}>
            Create
          </button>
        </div>
      </form>
      {timeField !== '' && <Preview form={whole} />}
    </>
  );
}

/** Creates job and datafeed, opens and starts them; the answer of the call that failed, else null. */
async function create(form: JobForm): Promise<Answer | null> {
  const job = `/_ml/anomaly_detectors/${encodeURIComponent(form.id)}`;
  const feed = `/_ml/datafeeds/${encodeURIComponent(feedIdOf(form.id))}`;
  const calls = [
    ['PUT', job, jobBody(form)],
    ['PUT', feed, feedBody(form)],
    ['POST', `${job}/_open`, undefined],
    ['POST', `${feed}/_start`, undefined],
  ] as const;
  for (const [method, path, body] of calls) {
    const answer = await clusterCall(method, path, body === undefined ? {} : { body });
    if (answer.status !== 200) return answer;
  }
  return null;
}

/** Props of the fields of the form. */
interface JobFieldsProps {
  readonly form: JobForm;
  readonly fields: readonly Field[];
  readonly onChange: (part: Partial<JobForm>) => void;
}

function JobFields({ form, fields, onChange }: JobFieldsProps) {
  const counted = fields.filter((field) => isLeafField(field) && field.isAggregatable);
  const measured = form.measure === 'distinct_count' ? counted : counted.filter(({ type }) => NUMBERS.has(type));
  const names = (list: readonly Field[]): readonly string[] => list.map(({ name }) => name);
  return (
    <>
      <label>
        Indices
        <input
          value={form.indices}
          spellcheck={false}
          onChange={(event) => onChange({ indices: event.currentTarget.value })}
        />
      </label>
      <label>
        Name
        <input
          value={form.id}
          maxLength={64}
          spellcheck={false}
          onInput={(event) => onChange({ id: event.currentTarget.value })}
        />
      </label>
      <Choice
        label="Measure"
        value={form.measure}
        values={Object.keys(MEASURES)}
        onChange={(measure) => onChange({ measure: measure as Measure, field: '' })}
      />
      {form.measure !== 'count' && (
        <Choice
          label="Field"
          value={form.field}
          values={['', ...names(measured)]}
          onChange={(field) => onChange({ field })}
        />
      )}
      <Choice
        label="For each value of"
        value={form.splitBy}
        values={['', ...names(counted.filter(({ type }) => type === 'keyword'))]}
        onChange={(splitBy) => onChange({ splitBy })}
      />
      <label>
        Bucket span
        <input
          value={form.bucketSpan}
          spellcheck={false}
          onInput={(event) => onChange({ bucketSpan: event.currentTarget.value })}
        />
      </label>
    </>
  );
}

/** The series of a form, as far as it is filled in. */
function Preview({ form }: { readonly form: JobForm }) {
  const [points, setPoints] = useState<readonly SeriesPoint[] | null>(null);
  const { indices, timeField, measure, field } = form;
  const isReady = measure === 'count' || field !== '';
  useEffect(() => {
    if (!isReady) return;
    const abort = new AbortController();
    const body = seriesBody({ timeField, measure, field, only: null, interval: null });
    clusterCall('POST', `${indicesPath(indices)}/_search`, { body, signal: abort.signal }).then(
      (answer) => setPoints(answer.status === 200 ? readSeries(answer.json) : null),
      () => undefined,
    );
    return () => abort.abort();
  }, [indices, timeField, measure, field]);
  if (!isReady || points === null) return null;
  const name = measure === 'count' ? 'Documents' : `${measure} of ${field}`;
  return <SeriesChart title={`Preview: ${name} over time`} points={points} records={[]} />;
}
