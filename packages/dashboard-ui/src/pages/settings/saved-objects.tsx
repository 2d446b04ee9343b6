import { useState } from 'preact/hooks';
import { noted, ownCall, reasonOf } from '../../request/own-call.js';
import { formatAmount } from '../../state/format.js';
import { saveFile } from '../../state/save-file.js';
import { DataTable } from '../../widgets/data-table.js';

/** Why an object of a file was not taken, as the server tells it. */
interface ImportError {
  readonly type: string;
  readonly id: string;
  readonly title: string;
  readonly error: { readonly type: string; readonly message?: string };
}

interface ImportAnswer {
  readonly successCount: number;
  readonly errors?: readonly ImportError[];
  /** What was taken without a part of it. */
  readonly warnings?: readonly { readonly message?: string }[];
}

const REASONS: Readonly<Record<string, string>> = {
  conflict: 'It is there already.',
  unsupported_type: 'There is no such kind of object here.',
  missing_references: 'What it refers to is not there.',
};

/** What of a file was taken without a part of it, or not at all. */
function NotImported({ result: { warnings, errors } }: { readonly result: ImportAnswer }) {
  return (
    <>
      {warnings?.map(({ message }) => (
        <p key={message} class="bar">
          {message}
        </p>
      ))}
      {errors !== undefined && (
        <DataTable
          caption="Not imported"
          rows={errors}
          keyOf={({ type, id }) => `${type} ${id}`}
          empty="All was imported."
          columns={[
            { name: 'Title', show: ({ title, id }) => title || id },
            { name: 'Kind', show: ({ type }) => type },
            { name: 'Why', show: ({ error }) => error.message ?? REASONS[error.type] ?? error.type },
          ]}
        />
      )}
    </>
  );
}

/** Saves what people saved as a file, and takes such files. */
export function SavedObjects() {
  const [problem, setProblem] = useState('');
  const [result, setResult] = useState<ImportAnswer | null>(null);
  const exportAll = async (): Promise<void> => {
    const answer = noted(await ownCall('POST', '/api/saved_objects/_export', { body: { type: '*' } }));
    setProblem(answer.status === 200 ? '' : reasonOf(answer));
    if (answer.status === 200) saveFile('saved-objects.ndjson', answer.text, 'application/x-ndjson');
  };
  const importFile = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const form = new FormData(event.currentTarget as HTMLFormElement);
    const body = await (form.get('file') as File).text();
    const overwrite = form.get('overwrite') === 'on';
    const answer = noted(await ownCall('POST', `/api/saved_objects/_import?overwrite=${overwrite}`, { body }));
    setProblem(answer.status === 200 ? '' : reasonOf(answer));
    setResult(answer.status === 200 ? (answer.json as ImportAnswer) : null);
  };
  return (
    <section aria-labelledby="saved-objects">
      <h2 id="saved-objects">Saved objects</h2>
      <p>
        Dashboards, searches and files of the console, as a file; of Kibana’s files searches and dashboards are taken,
        too.
      </p>
      <div class="row">
        <button type="button" onClick={() => void exportAll()}>
          Export saved objects
        </button>
      </div>
      <form class="form" onSubmit={(event) => void importFile(event as SubmitEvent)}>
        <label>
          Saved objects file
          <input type="file" name="file" accept=".ndjson,.json" required />
        </label>
        <label class="check">
          <input type="checkbox" name="overwrite" />
          Overwrite what is there
        </label>
        <div class="row">
          <button type="submit">Import</button>
          <span role="status" aria-label="Import result">
            {result === null ? '' : `${formatAmount(result.successCount, 'object', 'objects')} imported`}
          </span>
        </div>
      </form>
      {problem !== '' && (
        <p role="alert" class="problem">
          {problem}
        </p>
      )}
      {result !== null && <NotImported result={result} />}
    </section>
  );
}
