import { useState } from 'preact/hooks';
import { clusterCall, reasonOf } from '../../request/own-call.js';
import { addressOf, goTo, hold } from '../../state/router.js';
import { message } from '../../state/session.js';
import { DataTable } from '../../widgets/data-table.js';
import { useHold } from '../../state/use-hold.js';
import {
  cardsOf,
  changedList,
  type PipelineText,
  pipelineBody,
  readList,
  type SimulatedStep,
  stepsOf,
} from './pipeline-text.js';

const LOST = 'Changes of this pipeline are not saved: they are lost when you leave it.';
const SAMPLE = `[
  { "_source": { "message": "a first document" } }
]`;

/** Props of the editor. */
interface PipelineEditorProps {
  /** Null for a new one. */
  readonly name: string | null;
  readonly first: PipelineText;
}

/** One pipeline: its processors as cards and as JSON, and what they do to documents. */
export function PipelineEditor({ name, first }: PipelineEditorProps) {
  const [typedName, setName] = useState(name ?? '');
  const [kept, setKept] = useState(first);
  const [pipeline, setPipeline] = useState(first);
  const { description, processors } = pipeline;
  const change = (part: Partial<PipelineText>): void => setPipeline({ ...pipeline, ...part });
  const [problem, setProblem] = useState('');
  const list = readList(processors, 'Processors');
  const isChanged = description !== kept.description || processors !== kept.processors;
  useHold(isChanged ? LOST : null, ({ path, query }) => path === '/app/pipelines' && query.get('name') === name);
  const save = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    if (typeof list === 'string') return setProblem(list);
    const path = `/_ingest/pipeline/${encodeURIComponent(typedName)}`;
    const saved = await clusterCall('PUT', path, { body: pipelineBody(pipeline) });
    if (saved.status !== 200) return setProblem(reasonOf(saved));
    setProblem('');
    setKept(pipeline);
    hold.value = null;
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
          <input value={description} onInput={(event) => change({ description: event.currentTarget.value })} />
        </label>
        {typeof list !== 'string' && (
          <Cards processors={processors} onChange={(next) => change({ processors: next })} />
        )}
        <label>
          Processors
          <textarea
            class="code"
            rows={10}
            spellcheck={false}
            value={processors}
            onInput={(event) => change({ processors: event.currentTarget.value })}
          />
        </label>
        <Problem text={typeof list === 'string' ? list : problem} />
        <div class="row">
          <button type="submit" class="primary">
            Save
          </button>
        </div>
      </form>
      <Simulation pipeline={pipeline} />
    </>
  );
}

function Problem({ text }: { readonly text: string }) {
  if (text === '') return null;
  return (
    <p role="alert" class="problem">
      {text}
    </p>
  );
}

/** Props of the cards. */
interface CardsProps {
  readonly processors: string;
  readonly onChange: (processors: string) => void;
}

function Cards({ processors, onChange }: CardsProps) {
  return (
    <ol class="cards" aria-label="Processors in their order">
      {cardsOf(processors).map(({ type, settings }, i) => {
        const name = `${type} ${i + 1}`;
        return (
          <li key={i} class="card">
            <strong>{type}</strong>
            <p class="evidence">{settings.slice(0, 200)}</p>
            <div class="row">
              <button
                type="button"
                aria-label={`Move ${name} up`}
                disabled={i === 0}
                onClick={() => onChange(changedList(processors, i, 'up'))}
              >
                Up
              </button>
              <button
                type="button"
                aria-label={`Remove ${name}`}
                onClick={() => onChange(changedList(processors, i, 'remove'))}
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

function Simulation({ pipeline }: { readonly pipeline: PipelineText }) {
  const [documents, setDocuments] = useState(SAMPLE);
  const [index, setIndex] = useState('');
  const [problem, setProblem] = useState('');
  const [steps, setSteps] = useState<readonly SimulatedStep[] | null>(null);
  const simulate = async (): Promise<void> => {
    setSteps(null);
    const lists = [readList(pipeline.processors, 'Processors'), readList(documents, 'Documents')];
    const wrong = lists.find((list) => typeof list === 'string');
    if (wrong !== undefined) return setProblem(String(wrong));
    const sent = `{"pipeline":${pipelineBody({ ...pipeline, description: '' })},"docs":${documents}}`;
    const answer = await clusterCall('POST', '/_ingest/pipeline/_simulate?verbose=true', { body: sent });
    setProblem(answer.status === 200 ? '' : reasonOf(answer));
    if (answer.status === 200) setSteps(stepsOf(answer.text, documents));
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
      <Problem text={problem} />
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
