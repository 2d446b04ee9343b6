import { useState } from 'preact/hooks';
import { clusterCall, reasonOf } from '../../request/own-call.js';
import { formatAmount, formatBytes, formatCount } from '../../state/format.js';
import { addressOf } from '../../state/router.js';
import { saveFile } from '../../state/save-file.js';
import { importDocuments, type ImportOutcome, type ImportProgress } from '../../upload/bulk-import.js';
import { type Column, COLUMN_TYPES, type ColumnType, mappingOf } from '../../upload/column-types.js';
import { documentsOf, type FileSample, sampleOf } from '../../upload/file-rows.js';
import { DataTable } from '../../widgets/data-table.js';

/** Largest file that is read. */
const FILE_BYTES_MAX = 1024 ** 3;
const PREVIEW_ROWS = 20;

/** A file that was looked at. */
interface Chosen {
  readonly file: File;
  readonly sample: FileSample;
}

/** Imports a CSV, TSV or NDJSON file: what is in it is shown before anything is written. */
export function UploadFile() {
  const [chosen, setChosen] = useState<Chosen | null>(null);
  const [problem, setProblem] = useState('');
  const choose = async (file: File | undefined): Promise<void> => {
    setChosen(null);
    setProblem('');
    if (file === undefined) return;
    if (file.size > FILE_BYTES_MAX) return setProblem(`The file has more than ${formatBytes(FILE_BYTES_MAX)}.`);
    try {
      setChosen({ file, sample: await sampleOf(file) });
    } catch (error) {
      setProblem((error as Error).message);
    }
  };
  return (
    <>
      <label class="field">
        CSV, TSV or NDJSON file
        <input
          type="file"
          accept=".csv,.tsv,.txt,.json,.ndjson,.jsonl"
          onChange={(event) => void choose(event.currentTarget.files?.[0])}
        />
      </label>
      {problem !== '' && (
        <p role="alert" class="problem">
          {problem}
        </p>
      )}
      {chosen !== null && <ImportFile key={`${chosen.file.name} ${chosen.file.lastModified}`} chosen={chosen} />}
    </>
  );
}

/** A name for the index of a file: what the cluster takes of the file's own. */
export const indexNameOf = (fileName: string): string =>
  fileName
    .toLowerCase()
    .replace(/\.[a-z]+$/, '')
    .replace(/[^a-z0-9._-]+/g, '-')
    .replace(/^[-_.]+|-+$/g, '') || 'upload';

function ImportFile({ chosen: { file, sample } }: { readonly chosen: Chosen }) {
  const [columns, setColumns] = useState<readonly Column[]>(sample.columns);
  const [index, setIndex] = useState(indexNameOf(file.name));
  const [problem, setProblem] = useState('');
  const [progress, setProgress] = useState<ImportProgress | null>(null);
  const [outcome, setOutcome] = useState<ImportOutcome | null>(null);
  const [running, setRunning] = useState<AbortController | null>(null);
  const start = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    setProblem('');
    setOutcome(null);
    const abort = new AbortController();
    const made = await clusterCall('PUT', `/${encodeURIComponent(index)}`, { body: { mappings: mappingOf(columns) } });
    if (made.status !== 200) return setProblem(reasonOf(made));
    setRunning(abort);
    try {
      setOutcome(await importDocuments(index, partsOf(file, sample, columns), setProgress, abort.signal));
    } catch (error) {
      setProblem(abort.signal.aborted ? 'Stopped: what was imported stays in the index.' : (error as Error).message);
    }
    await clusterCall('POST', `/${encodeURIComponent(index)}/_refresh`);
    setRunning(null);
  };
  const setType = (name: string, type: ColumnType): void =>
    setColumns(columns.map((column) => (column.name === name ? { ...column, type } : column)));
  return (
    <form onSubmit={(event) => void start(event as SubmitEvent)}>
      <Preview sample={sample} />
      <Fields columns={columns} setType={setType} isDisabled={running !== null} />
      <label class="field">
        Index name
        <input value={index} required spellcheck={false} onInput={(event) => setIndex(event.currentTarget.value)} />
      </label>
      {problem !== '' && (
        <p role="alert" class="problem">
          {problem}
        </p>
      )}
      <div class="row">
        <button type="submit" class="primary" disabled={running !== null}>
          Import
        </button>
        <button type="button" disabled={running === null} onClick={() => running?.abort()}>
          Stop
        </button>
        {running !== null && <progress aria-label="Import" value={progress?.part ?? 0} max={1} />}
        <span role="status" aria-label="Import result">
          {outcome === null ? '' : resultText(outcome)}
        </span>
        {outcome !== null && <a href={addressOf(`/app/discover?i=${encodeURIComponent(index)}`)}>Open in Discover</a>}
        {outcome !== null && outcome.rejected > 0 && (
          <button
            type="button"
            onClick={() => saveFile('rejected.ndjson', `${outcome.rejectedLines.join('\n')}\n`, 'application/x-ndjson')}
          >
            Save rejected rows
          </button>
        )}
      </div>
    </form>
  );
}

const resultText = ({ imported, rejected }: ImportProgress): string =>
  `${formatAmount(imported, 'document', 'documents')} imported, ${formatCount(rejected)} rejected`;

async function* partsOf(file: File, sample: FileSample, columns: readonly Column[]) {
  for await (const { documents, bytesRead } of documentsOf(file, sample, columns))
    yield { documents, part: bytesRead / file.size };
}

function Preview({ sample: { columns, rows, delimiter } }: { readonly sample: FileSample }) {
  const shown = rows.slice(0, PREVIEW_ROWS).map((cells, i) => ({ cells, i }));
  const kind = delimiter === null ? 'NDJSON' : delimiter === '\t' ? 'separated by tabs' : `separated by ${delimiter}`;
  return (
    <>
      <p>{`The file is ${kind}. Its first rows:`}</p>
      <DataTable
        caption="Preview"
        rows={shown}
        keyOf={({ i }) => String(i)}
        empty="The file has no rows."
        columns={[
          { name: 'Row', show: ({ i }) => i + 1, isNumber: true },
          ...columns.map(({ name }, at) => ({
            name,
            show: ({ cells }: { readonly cells: readonly string[] }) => (cells[at] ?? '').slice(0, 200),
          })),
        ]}
      />
    </>
  );
}

/** Props of the fields. */
interface FieldsProps {
  readonly columns: readonly Column[];
  readonly setType: (name: string, type: ColumnType) => void;
  readonly isDisabled: boolean;
}

function Fields({ columns, setType, isDisabled }: FieldsProps) {
  return (
    <DataTable
      caption="Fields found"
      rows={columns}
      keyOf={({ name }) => name}
      empty="The file has no plain fields: the cluster finds their types."
      columns={[
        { name: 'Field', show: ({ name }) => name },
        {
          name: 'Type',
          show: ({ name, type }) => (
            <select
              aria-label={`Type of ${name}`}
              value={type}
              disabled={isDisabled}
              onChange={(event) => setType(name, event.currentTarget.value as ColumnType)}
            >
              {COLUMN_TYPES.map((one) => (
                <option key={one} value={one}>
                  {one}
                </option>
              ))}
            </select>
          ),
        },
      ]}
    />
  );
}
