import { useState } from 'preact/hooks';
import { clusterCall, reasonOf } from '../../request/own-call.js';
import { useCall } from '../../request/use-call.js';
import { formatCount, formatDateTime } from '../../state/format.js';
import { usePolling } from '../../state/polling.js';
import { message, reloads } from '../../state/session.js';
import { ConfirmDelete } from '../../widgets/confirm-delete.js';
import { DataTable } from '../../widgets/data-table.js';
import { FormDialog, TextField } from '../../widgets/form-dialog.js';
import { Loaded } from '../../widgets/loaded.js';
import { snapshotProgress } from './progress.js';
import { Restores } from './restores.js';

const READ_MS = 2_000;
/** State of a snapshot that is being taken. */
const RUNNING = 'IN_PROGRESS';

/** A snapshot as the cluster answers it. */
interface Snapshot {
  readonly snapshot: string;
  readonly repository: string;
  readonly state: string;
  readonly indices: readonly string[];
  readonly start_time_in_millis: number;
  readonly duration_in_millis: number;
}

type SnapshotDialog = { readonly take: true } | { readonly restore: Snapshot } | { readonly remove: Snapshot };

const pathOf = ({ repository, snapshot }: Pick<Snapshot, 'repository' | 'snapshot'>): string =>
  `/_snapshot/${encodeURIComponent(repository)}/${encodeURIComponent(snapshot)}`;

/** Snapshots of all repositories; the list follows those that run. */
export function Snapshots() {
  const repositories = useCall('/_snapshot');
  const [list, setList] = useState<readonly Snapshot[] | null>(null);
  const [progress, setProgress] = useState<ReadonlyMap<string, string>>(new Map());
  const [problem, setProblem] = useState('');
  const [looks, setLooks] = useState(0);
  const [dialog, setDialog] = useState<SnapshotDialog | null>(null);
  usePolling(
    async (signal) => {
      const answer = await clusterCall('GET', '/_snapshot/*/*?ignore_unavailable=true', { signal, isPolling: true });
      setProblem(answer.status === 200 || answer.status === 404 ? '' : reasonOf(answer));
      const snapshots = answer.status === 200 ? (answer.json as { snapshots: readonly Snapshot[] }).snapshots : [];
      setList(snapshots);
      if (!snapshots.some(({ state }) => state === RUNNING)) return;
      const status = await clusterCall('GET', '/_snapshot/_status', { signal, isPolling: true });
      setProgress(snapshotProgress(status.json));
    },
    READ_MS,
    [reloads.value, looks],
  );
  const names = Object.keys((repositories.answer?.json ?? {}) as object);
  return (
    <>
      <div class="row">
        <button type="button" disabled={names.length === 0} onClick={() => setDialog({ take: true })}>
          Take snapshot
        </button>
      </div>
      <Loaded call={repositories}>{() => names.length === 0 && <p>Register a repository first.</p>}</Loaded>
      {problem !== '' && (
        <p role="alert" class="problem">
          {problem}
        </p>
      )}
      {list !== null && <SnapshotTable list={list} progress={progress} onDialog={setDialog} />}
      <Restores />
      {dialog !== null && (
        <Dialogs dialog={dialog} repositories={names} close={() => setDialog(null)} again={() => setLooks(looks + 1)} />
      )}
    </>
  );
}

/** Props of the table. */
interface SnapshotTableProps {
  readonly list: readonly Snapshot[];
  /** How far running ones are, by repository and name. */
  readonly progress: ReadonlyMap<string, string>;
  readonly onDialog: (dialog: SnapshotDialog) => void;
}

function SnapshotTable({ list, progress, onDialog }: SnapshotTableProps) {
  const stateOf = ({ repository, snapshot, state }: Snapshot): string => {
    const done = state === RUNNING ? progress.get(`${repository} ${snapshot}`) : undefined;
    return done === undefined ? state : `${state}, ${done}`;
  };
  return (
    <DataTable
      caption="Snapshots"
      rows={list}
      keyOf={({ repository, snapshot }) => `${repository} ${snapshot}`}
      empty="There is no snapshot yet."
      columns={[
        { name: 'Name', show: ({ snapshot }) => snapshot, sort: ({ snapshot }) => snapshot },
        { name: 'Repository', show: ({ repository }) => repository, sort: ({ repository }) => repository },
        { name: 'State', show: stateOf, sort: ({ state }) => state },
        { name: 'Indices', show: ({ indices }) => formatCount(indices.length), isNumber: true },
        {
          name: 'Started',
          show: ({ start_time_in_millis: at }) => formatDateTime(at),
          sort: ({ start_time_in_millis: at }) => at,
        },
        { name: 'Milliseconds', show: ({ duration_in_millis: millis }) => formatCount(millis), isNumber: true },
        {
          name: 'Actions',
          show: (one) => (
            <span class="row">
              <button type="button" aria-label={`Restore ${one.snapshot}`} onClick={() => onDialog({ restore: one })}>
                Restore
              </button>
              <button type="button" aria-label={`Delete ${one.snapshot}`} onClick={() => onDialog({ remove: one })}>
                Delete
              </button>
            </span>
          ),
        },
      ]}
    />
  );
}

/** Props of the dialogs. */
interface DialogsProps {
  readonly dialog: SnapshotDialog;
  readonly repositories: readonly string[];
  readonly close: () => void;
  readonly again: () => void;
}

const textIn = (form: FormData, name: string): string => String(form.get(name) ?? '').trim();

function Dialogs({ dialog, repositories, close, again }: DialogsProps) {
  if ('remove' in dialog)
    return (
      <ConfirmDelete
        name={dialog.remove.snapshot}
        lost="What it alone keeps is lost."
        call={`DELETE ${pathOf(dialog.remove)}`}
        run={() => clusterCall('DELETE', pathOf(dialog.remove))}
        onClose={close}
        onDone={again}
      />
    );
  if ('restore' in dialog) return <RestoreDialog snapshot={dialog.restore} close={close} />;
  return (
    <FormDialog
      title="Take snapshot"
      does="Take"
      onClose={close}
      onDone={again}
      run={(form) =>
        clusterCall('PUT', pathOf({ repository: textIn(form, 'repository'), snapshot: textIn(form, 'name') }), {
          body: { indices: textIn(form, 'indices') || '*', include_global_state: form.get('state') === 'on' },
        })
      }
    >
      <label>
        Repository
        <select name="repository">
          {repositories.map((name) => (
            <option key={name}>{name}</option>
          ))}
        </select>
      </label>
      <TextField label="Name" name="name" isRequired isFirst />
      <TextField label="Indices" name="indices" value="*" />
      <label class="check">
        <input type="checkbox" name="state" defaultChecked />
        With the state of the cluster
      </label>
    </FormDialog>
  );
}

function RestoreDialog({ snapshot, close }: { readonly snapshot: Snapshot; readonly close: () => void }) {
  const name = snapshot.snapshot;
  return (
    <FormDialog
      title={`Restore ${name}`}
      does="Restore"
      onClose={close}
      onDone={() => (message.value = `${name} is being restored.`)}
      run={(form) => {
        const [pattern, replacement] = [textIn(form, 'pattern'), textIn(form, 'replacement')];
        return clusterCall('POST', `${pathOf(snapshot)}/_restore`, {
          body: {
            indices: textIn(form, 'indices') || '*',
            include_global_state: false,
            ...(pattern === '' ? {} : { rename_pattern: pattern, rename_replacement: replacement }),
          },
        });
      }}
    >
      <p>An open index is not overwritten: rename what is restored, or close it first.</p>
      <TextField label="Indices" name="indices" value={snapshot.indices.join(',')} isFirst />
      <TextField label="Rename pattern" name="pattern" value="(.+)" />
      <TextField label="Rename replacement" name="replacement" value="restored-$1" />
    </FormDialog>
  );
}
