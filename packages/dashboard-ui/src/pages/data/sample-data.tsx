import { useState } from 'preact/hooks';
import { clusterCall, ownCall, reasonOf } from '../../request/own-call.js';
import { useCall } from '../../request/use-call.js';
import { clock } from '../../state/browser-clock.js';
import { formatCount } from '../../state/format.js';
import { addressOf } from '../../state/router.js';
import { message } from '../../state/session.js';
import { importDocuments } from '../../upload/bulk-import.js';
import { sampleDashboard, sampleDocuments, SAMPLES, type SampleSet } from '../../upload/sample-data.js';
import { Loaded } from '../../widgets/loaded.js';

/** Sets of example documents that are loaded and removed with a click. */
export function SampleData() {
  const names = SAMPLES.map(({ index }) => index).join(',');
  const list = useCall(`/_cat/indices/${names}?format=json&h=index,docs.count&ignore_unavailable=true`);
  return (
    <Loaded call={list}>
      {({ json }) => {
        const rows = (json ?? []) as readonly { readonly index: string; readonly 'docs.count': string | null }[];
        return (
          <div class="cards">
            {SAMPLES.map((set) => {
              const row = rows.find(({ index }) => index === set.index);
              const count = row === undefined ? null : Number(row['docs.count'] ?? 0);
              return <Sample key={set.index} set={set} count={count} onDone={list.again} />;
            })}
          </div>
        );
      }}
    </Loaded>
  );
}

/** Creates the index, writes the documents and the dashboard. Throws what the cluster says. */
async function load(set: SampleSet, onPart: (part: number) => void): Promise<void> {
  const body = { settings: { number_of_replicas: 0 }, mappings: { properties: set.mapping } };
  const made = await clusterCall('PUT', `/${set.index}`, { body });
  if (made.status !== 200) throw new Error(reasonOf(made));
  const pieces = sampleDocuments(set, clock.now());
  const done = await importDocuments(set.index, pieces, ({ part }) => onPart(part), new AbortController().signal);
  if (done.rejected > 0) throw new Error(`${done.rejected} documents were rejected: ${done.rejectedLines[0]}`);
  await clusterCall('POST', `/${set.index}/_refresh`);
  const attributes = sampleDashboard(set);
  const saved = await ownCall('POST', `/api/saved_objects/dashboard/${set.index}?overwrite=true`, {
    body: { attributes },
  });
  message.value =
    saved.status === 200
      ? `${set.name} was loaded.`
      : `${set.name} was loaded, but not its dashboard: ${reasonOf(saved)}`;
}

/** Props of a set. */
interface SampleProps {
  readonly set: SampleSet;
  /** Documents that are there; null if the index is not. */
  readonly count: number | null;
  readonly onDone: () => void;
}

function Sample({ set, count, onDone }: SampleProps) {
  const [part, setPart] = useState<number | null>(null);
  const [problem, setProblem] = useState('');
  const act = async (work: () => Promise<void>): Promise<void> => {
    setProblem('');
    setPart(0);
    await work().catch((error: unknown) => setProblem((error as Error).message));
    setPart(null);
    onDone();
  };
  const remove = async (): Promise<void> => {
    const gone = await clusterCall('DELETE', `/${set.index}`);
    if (gone.status !== 200) throw new Error(reasonOf(gone));
    await ownCall('DELETE', `/api/saved_objects/dashboard/${set.index}`);
    message.value = `${set.name} was removed.`;
  };
  return (
    <section aria-label={set.name} class="card">
      <h2>{set.name}</h2>
      <p>{set.about}.</p>
      {problem !== '' && (
        <p role="alert" class="problem">
          {problem}
        </p>
      )}
      {part !== null && <progress aria-label={`Loading ${set.name}`} value={part} max={1} />}
      {part === null && count !== null && (
        <p>
          {`${formatCount(count)} documents are in ${set.index}. `}
          <a href={addressOf(`/app/discover?i=${set.index}`)}>Open in Discover</a>
        </p>
      )}
      <div class="row">
        {count === null ? (
          <button
            type="button"
            class="primary"
            disabled={part !== null}
            onClick={() => void act(() => load(set, setPart))}
          >
            {`Load ${set.name}`}
          </button>
        ) : (
          <>
            <a href={addressOf(`/app/dashboards/${set.index}`)}>Open the dashboard</a>
            <button type="button" disabled={part !== null} onClick={() => void act(remove)}>
              {`Remove ${set.name}`}
            </button>
          </>
        )}
      </div>
    </section>
  );
}
