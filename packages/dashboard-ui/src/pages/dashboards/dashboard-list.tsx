import { useEffect, useState } from 'preact/hooks';
import { type Answer, reasonOf } from '../../request/own-call.js';
import { deleteObject, findObjects, LIST_MAX, type SavedObject } from '../../request/saved-objects.js';
import { formatCount, formatDateTime } from '../../state/format.js';
import { addressOf, goTo } from '../../state/router.js';
import { message, reloads } from '../../state/session.js';
import { DataTable } from '../../widgets/data-table.js';
import { Dialog } from '../../widgets/dialog.js';
import { Failure } from '../../widgets/failure.js';

const titleOf = ({ id, attributes }: SavedObject): string => String(attributes['title'] || id);

/** All dashboards that were saved. */
export function DashboardList() {
  const [found, setFound] = useState<{ readonly objects: readonly SavedObject[]; readonly total: number } | null>(null);
  const [failure, setFailure] = useState<Answer | null>(null);
  const [deleted, setDeleted] = useState<SavedObject | null>(null);
  const [looks, setLooks] = useState(0);
  const again = (): void => setLooks((count) => count + 1);
  useEffect(() => {
    const abort = new AbortController();
    findObjects('dashboard', ['title', 'description'], abort.signal).then(
      (answer) => {
        setFailure('status' in answer ? answer : null);
        if (!('status' in answer)) setFound(answer);
      },
      () => undefined,
    );
    return () => abort.abort();
  }, [looks, reloads.value]);
  return (
    <>
      <h1 tabIndex={-1}>Dashboards</h1>
      <div class="row">
        <button type="button" class="primary" onClick={() => goTo('/app/dashboards/new')}>
          New dashboard
        </button>
      </div>
      <div aria-busy={found === null && failure === null}>
        {failure !== null && (
          <Failure answer={failure} request="GET /api/saved_objects/_find?type=dashboard" again={again} />
        )}
        {found === null && failure === null && <p>Loading</p>}
        {found !== null && (
          <DataTable
            caption="Dashboards"
            rows={found.objects}
            keyOf={({ id }) => id}
            empty="No dashboard is saved yet."
            columns={[
              {
                name: 'Title',
                show: (object) => (
                  <a href={addressOf(`/app/dashboards/${encodeURIComponent(object.id)}`)}>{titleOf(object)}</a>
                ),
                sort: titleOf,
              },
              {
                name: 'Changed',
                show: ({ updated_at: at }) => formatDateTime(Date.parse(at)),
                sort: ({ updated_at: at }) => at,
              },
              {
                name: 'Actions',
                show: (object) => (
                  <button type="button" aria-label={`Delete ${titleOf(object)}`} onClick={() => setDeleted(object)}>
                    Delete
                  </button>
                ),
              },
            ]}
          />
        )}
        {(found?.total ?? 0) > LIST_MAX && <p>Only the first {formatCount(LIST_MAX)} are shown.</p>}
      </div>
      {deleted !== null && <DeleteDialog object={deleted} onClose={() => setDeleted(null)} onDone={again} />}
    </>
  );
}

/** Props of the dialog. */
interface DeleteDialogProps {
  readonly object: SavedObject;
  readonly onClose: () => void;
  readonly onDone: () => void;
}

/** Deletes a dashboard once its title was typed. */
function DeleteDialog({ object, onClose, onDone }: DeleteDialogProps) {
  const [typed, setTyped] = useState('');
  const [problem, setProblem] = useState('');
  const title = titleOf(object);
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const done = await deleteObject('dashboard', object.id);
    if (done.status !== 200) return setProblem(reasonOf(done));
    message.value = `The dashboard ${title} was deleted.`;
    onClose();
    onDone();
  };
  return (
    <Dialog title={`Delete ${title}`} onClose={onClose}>
      <form class="form" onSubmit={(event) => void submit(event as SubmitEvent)}>
        {problem !== '' && (
          <p role="alert" class="problem">
            {problem}
          </p>
        )}
        <pre>DELETE /api/saved_objects/dashboard/{object.id}</pre>
        <label>
          Type {title} to confirm
          <input value={typed} autocomplete="off" autofocus onInput={(event) => setTyped(event.currentTarget.value)} />
        </label>
        <div class="row">
          <button type="submit" disabled={typed !== title}>
            Delete
          </button>
          <button type="button" onClick={onClose}>
            Cancel
          </button>
        </div>
      </form>
    </Dialog>
  );
}
