import { useEffect, useState } from 'preact/hooks';
import { isLeafField } from '../../explore/fields.js';
import { type Answer, clusterCall, reasonOf } from '../../request/own-call.js';
import { addressOf, goTo } from '../../state/router.js';
import { message } from '../../state/session.js';
import { DataTable } from '../../widgets/data-table.js';
import { ANALYSES, analysisBody, type AnalysisForm, type AnalysisKind, analysisProblem } from './analytics.js';
import { analysisPath } from './analytics-list.js';
import { Choice } from './choice.js';
import { useIndexFields } from './use-index-fields.js';

const EMPTY: AnalysisForm = { id: '', indices: '', dest: '', kind: 'outlier_detection', field: '', percent: '80' };

/** An analysis over indices, with what it will read of them. */
export function AnalyticsForm() {
  const [form, setForm] = useState(EMPTY);
  const [problem, setProblem] = useState('');
  const [isBusy, setBusy] = useState(false);
  const change = (part: Partial<AnalysisForm>): void => setForm((before) => ({ ...before, ...part }));
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const wrong = analysisProblem(form);
    if (wrong !== null) return setProblem(wrong);
    setBusy(true);
    const failed = await create(form);
    setBusy(false);
    if (failed !== null) return setProblem(reasonOf(failed));
    message.value = `The analysis ${form.id} was created and runs.`;
    goTo(`/app/ml?tab=analytics&analysis=${encodeURIComponent(form.id)}`);
  };
  return (
    <>
      <p>
        <a href={addressOf('/app/ml?tab=analytics')}>Data frame analytics</a>
      </p>
      <h1 tabIndex={-1}>Create analysis</h1>
      <form class="form" onSubmit={(event) => void submit(event as SubmitEvent)}>
        {problem !== '' && (
          <p role="alert" class="problem">
            {problem}
          </p>
        )}
        <FormFields form={form} onChange={change} onProblem={setProblem} />
        <div class="row">
          <button type="submit" class="primary" disabled={isBusy}>
            Create
          </button>
        </div>
      </form>
      <Explained form={form} />
    </>
  );
}

/** Creates and starts an analysis; the answer of the call that failed, else null. */
async function create(form: AnalysisForm): Promise<Answer | null> {
  const made = await clusterCall('PUT', analysisPath(form.id), { body: analysisBody(form) });
  if (made.status !== 200) return made;
  const started = await clusterCall('POST', `${analysisPath(form.id)}/_start`);
  return started.status === 200 ? null : started;
}

/** Props of the fields. */
interface FormFieldsProps {
  readonly form: AnalysisForm;
  readonly onChange: (part: Partial<AnalysisForm>) => void;
  readonly onProblem: (problem: string) => void;
}

function FormFields({ form, onChange, onProblem }: FormFieldsProps) {
  const fields = useIndexFields(form.indices, onProblem).filter((field) => isLeafField(field) && field.isAggregatable);
  const text = (label: string, name: 'id' | 'dest', lengthMax: number) => (
    <label>
      {label}
      <input
        value={form[name]}
        maxLength={lengthMax}
        spellcheck={false}
        onInput={(event) => onChange({ [name]: event.currentTarget.value })}
      />
    </label>
  );
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
      {text('Name', 'id', 64)}
      <Choice
        label="Kind"
        value={form.kind}
        values={ANALYSES}
        onChange={(kind) => onChange({ kind: kind as AnalysisKind })}
      />
      {form.kind !== 'outlier_detection' && (
        <>
          <Choice
            label="Field to predict"
            value={form.field}
            values={['', ...fields.map(({ name }) => name)]}
            onChange={(field) => onChange({ field })}
          />
          <label>
            Percent to learn from
            <input
              type="number"
              min="1"
              max="100"
              value={form.percent}
              onInput={(event) => onChange({ percent: event.currentTarget.value })}
            />
          </label>
        </>
      )}
      {text('Index for the results', 'dest', 255)}
    </>
  );
}

interface Explanation {
  readonly field_selection?: readonly {
    readonly name: string;
    readonly mapping_types: readonly string[];
    readonly is_included: boolean;
    readonly reason?: string;
  }[];
  readonly memory_estimation?: { readonly expected_memory_without_disk?: string };
}

/** Which fields the analysis will read, and why not the others, as the cluster tells before it is created. */
function Explained({ form }: { readonly form: AnalysisForm }) {
  const [answer, setAnswer] = useState<Answer | null>(null);
  const { indices, kind, field, percent } = form;
  const isReady = analysisProblem(form, false) === null;
  useEffect(() => {
    if (!isReady) return setAnswer(null);
    const abort = new AbortController();
    const body = analysisBody({ ...form, dest: '' });
    clusterCall('POST', '/_ml/data_frame/analytics/_explain', { body, signal: abort.signal }).then(
      setAnswer,
      () => undefined,
    );
    return () => abort.abort();
  }, [isReady, indices, kind, field, percent]);
  if (answer === null) return null;
  if (answer.status !== 200)
    return (
      <p role="alert" class="problem">
        {reasonOf(answer)}
      </p>
    );
  const { field_selection: fields = [], memory_estimation: memory } = answer.json as Explanation;
  return (
    <>
      <DataTable
        caption="Fields of the analysis"
        rows={fields}
        keyOf={({ name }) => name}
        empty="The indices have no field that it could read."
        columns={[
          { name: 'Field', show: ({ name }) => name, sort: ({ name }) => name },
          { name: 'Type', show: ({ mapping_types: types }) => types.join(', ') },
          { name: 'Is read', show: ({ is_included: is, reason }) => (is ? 'yes' : `no: ${reason ?? ''}`) },
        ]}
      />
      <p>Memory needed: {memory?.expected_memory_without_disk ?? 'not known'}.</p>
    </>
  );
}
