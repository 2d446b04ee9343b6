import { useState } from 'preact/hooks';
import { clusterCall, reasonOf } from '../../request/own-call.js';
import { addressOf, goTo } from '../../state/router.js';
import { message } from '../../state/session.js';
import { DataTable } from '../../widgets/data-table.js';
import { type PipelineBody, pipelineBody, readList, type SimulatedStep, stepsOf } from './pipeline-text.js';

const SAMPLE = `[
  { "_source": { "message": "a first document" } }
]`;

/** Props of the editor. */
interface PipelineEditorProps {
  /** Null for a new one. */
  readonly name: string | null;
  readonly body: PipelineBody;
}

/** One pipeline: its processors as cards and as JSON, and what they do to documents. */
export function PipelineEditor({ name, body }: PipelineEditorProps) {
  const [typedName, setName] = useState(name ?? '');
  const [description, setDescription] = useState(body.description ?? '');
  const [processors, setProcessors] = useState(JSON.stringify(body.processors ?? [], null, 2));
  const [problem, setProblem] = useState('');
  const list = readList(processors, 'Processors');
  const save = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    if (typeof list === 'string') return setProblem(list);
    const path = `/_ingest/pipeline/${encodeURIComponent(typedName)}`;
    const saved = await clusterCall('PUT', path, { body: pipelineBody(body, description, processors) });
    if (saved.status !== 200) return setProblem(reasonOf(saved));
    setProblem('');
    message.value = `The pipeline ${typedName} was saved.`;
    if (name === null) goTo(`/app/pipelines?name=${encodeURIComponent(typedName)}`);
  };
  return (
    <>
      <p>
        <a href={addressOf('/app/pipelines')}>Ingest pipelines</a>
      </p>
      <h1 tabIndex={-1}>{name ?? 'Create pipeline'}</h1>
      <form class="form" onSubmit={(event) => void save(event as SubmitEvent)}>
        <label>
          Name
          <input
            value={typedName}
            required
            readOnly={name !== null}
            onInput={(event) => setName(event.currentTarget.value)}
          />
        </label>
        <label>
          Description
          <input value={description} onInput={(event) => setDescription(event.currentTarget.value)} />
        </label>
        {typeof list !== 'string' && (
          <Cards processors={list} onChange={(next) => setProcessors(JSON.stringify(next, null, 2))} />
        )}
        <label>
          Processors
          <textarea
            class="code"
            rows={10}
            spellcheck={false}
            value={processors}
            onInput={(event) => setProcessors(event.currentTarget.value)}
          />
        </label>
        {(problem !== '' || typeof list === 'string') && (
          <p role="alert" class="problem">
            {typeof list === 'string' ? list : problem}
          </p>
        )}
        <div class="row">
          <button type="submit" class="primary">
            Save
          </button>
        </div>
      </form>
      <Simulation body={body} processors={processors} />
    </>
  );
}

/** Props of the cards. */
interface CardsProps {
  readonly processors: readonly Readonly<Record<string, unknown>>[];
  readonly onChange: (processors: readonly Readonly<Record<string, unknown>>[]) => void;
}

function Cards({ processors, onChange }: CardsProps) {
  const moved = (from: number): void => {
    const next = [...processors];
    next.splice(from - 1, 0, ...next.splice(from, 1));
    onChange(next);
  };
  return (
    <ol class="cards" aria-label="Processors in their order">
      {processors.map((processor, i) => {
        const [type = ''] = Object.keys(processor);
        const name = `${type} ${i + 1}`;
        return (
          <li key={i} class="card">
            <strong>{type}</strong>
            <p class="evidence">{JSON.stringify(processor[type]).slice(0, 200)}</p>
            <div class="row">
              <button type="button" aria-label={`Move ${name} up`} disabled={i === 0} onClick={() => moved(i)}>
                Up
              </button>
              <button
                type="button"
                aria-label={`Remove ${name}`}
                onClick={() => onChange(processors.filter((_, at) => at !== i))}
              >
                Remove
              </button>
            </div>
          </li>
        );
      })}
    </ol>
  );
}

function Simulation({ body, processors }: { readonly body: PipelineBody; readonly processors: string }) {
  const [documents, setDocuments] = useState(SAMPLE);
  const [index, setIndex] = useState('');
  const [problem, setProblem] = useState('');
  const [steps, setSteps] = useState<readonly SimulatedStep[] | null>(null);
  const simulate = async (): Promise<void> => {
    setSteps(null);
    const lists = [readList(processors, 'Processors'), readList(documents, 'Documents')] as const;
    const wrong = lists.find((list) => typeof list === 'string');
    if (wrong !== undefined) return setProblem(String(wrong));
    const sent = `{"pipeline":${pipelineBody(body, '', processors)},"docs":${documents}}`;
    const answer = await clusterCall('POST', '/_ingest/pipeline/_simulate?verbose=true', { body: sent });
    setProblem(answer.status === 200 ? '' : reasonOf(answer));
    if (answer.status === 200) setSteps(stepsOf(answer.json, lists[1] as readonly Readonly<Record<string, unknown>>[]));
  };
  const load = async (): Promise<void> => {
    const path = `/${encodeURIComponent(index)}/_search?size=5&pretty&filter_path=hits.hits._id,hits.hits._source`;
    const answer = await clusterCall('GET', path);
    if (answer.status !== 200) return setProblem(reasonOf(answer));
    // The text of the list as it came: numbers keep their digits.
    const { text } = answer;
    setProblem(text.includes('[') ? '' : 'The index has no documents.');
    if (text.includes('[')) setDocuments(text.slice(text.indexOf('['), text.lastIndexOf(']') + 1));
  };
  return (
    <section aria-labelledby="simulation">
      <h2 id="simulation">What it does</h2>
      <div class="row">
        <label class="check">
          Index
          <input value={index} spellcheck={false} onInput={(event) => setIndex(event.currentTarget.value)} />
        </label>
        <button type="button" disabled={index === ''} onClick={() => void load()}>
          Load documents
        </button>
      </div>
      <label class="field">
        Documents
        <textarea
          class="code"
          rows={6}
          spellcheck={false}
          value={documents}
          onInput={(event) => setDocuments(event.currentTarget.value)}
        />
      </label>
      {problem !== '' && (
        <p role="alert" class="problem">
          {problem}
        </p>
      )}
      <div class="row">
        <button type="button" onClick={() => void simulate()}>
          Simulate
        </button>
      </div>
      {steps !== null && <Results steps={steps} />}
    </section>
  );
}

function Results({ steps }: { readonly steps: readonly SimulatedStep[] }) {
  return (
    <DataTable
      caption="Results"
      rows={steps.map((step, i) => ({ ...step, i }))}
      keyOf={({ i }) => String(i)}
      empty="No processor ran."
      columns={[
        { name: 'Document', show: ({ document }) => document },
        { name: 'Processor', show: ({ processor }) => processor },
        { name: 'Status', show: ({ status }) => status },
        { name: 'Before', show: ({ before }) => <pre>{before}</pre> },
        { name: 'After', show: ({ after }) => <pre>{after}</pre> },
      ]}
    />
  );
}
