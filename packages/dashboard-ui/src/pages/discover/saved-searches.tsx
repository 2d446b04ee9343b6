import { useEffect, useState } from 'preact/hooks';
import { readSavedSearch, savedSearchOf } from '../../explore/saved-search.js';
import { type SearchState, searchQuery } from '../../explore/search-state.js';
import { type Answer, reasonOf } from '../../request/own-call.js';
import { deleteObject, findObjects, LIST_MAX, type SavedObject, writeObject } from '../../request/saved-objects.js';
import { formatCount } from '../../state/format.js';
import { addressOf } from '../../state/router.js';
import { message } from '../../state/session.js';
import { Dialog } from '../../widgets/dialog.js';
import { Failure } from '../../widgets/failure.js';

/** Props of the dialog. */
interface SaveSearchProps {
  readonly state: SearchState & { readonly indices: string };
  readonly onClose: () => void;
}

/** Saves the search under a title. */
export function SaveSearch({ state, onClose }: SaveSearchProps) {
  const [problem, setProblem] = useState('');
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const title = String(new FormData(event.currentTarget as HTMLFormElement).get('title')).trim();
    if (title === '') return setProblem('Give it a title.');
    const saved = await writeObject('search', savedSearchOf(state, title), null);
    if (saved.status !== 200) return setProblem(reasonOf(saved));
    message.value = `The search ${title} was saved.`;
    onClose();
  };
  return (
    <Dialog title="Save search" onClose={onClose}>
      <form class="form" onSubmit={(event) => void submit(event as SubmitEvent)}>
        {problem !== '' && (
          <p role="alert" class="problem">
            {problem}
          </p>
        )}
        <label>
          Title
          <input name="title" required maxLength={200} autocomplete="off" autofocus />
        </label>
        <div class="row">
          <button type="submit" class="primary">
            Save
          </button>
          <button type="button" onClick={onClose}>
            Cancel
          </button>
        </div>
      </form>
    </Dialog>
  );
}

/** Searches that were saved, as links; each can be deleted. */
export function SavedSearches({ onClose }: Pick<SaveSearchProps, 'onClose'>) {
  const [found, setFound] = useState<{ readonly objects: readonly SavedObject[]; readonly total: number } | null>(null);
  const [failure, setFailure] = useState<Answer | null>(null);
  const [looks, setLooks] = useState(0);
  const again = (): void => setLooks((count) => count + 1);
  useEffect(() => {
    const abort = new AbortController();
    findObjects('search', [], abort.signal).then(
      (answer) => {
        setFailure('status' in answer ? answer : null);
        if (!('status' in answer)) setFound(answer);
      },
      () => undefined,
    );
    return () => abort.abort();
  }, [looks]);
  const remove = async ({ id }: SavedObject, title: string): Promise<void> => {
    const done = await deleteObject('search', id);
    message.value = done.status === 200 ? `The search ${title} was deleted.` : reasonOf(done);
    again();
  };
  return (
    <Dialog title="Saved searches" onClose={onClose}>
      {failure !== null && (
        <Failure answer={failure} request="GET /api/saved_objects/_find?type=search" again={again} />
      )}
      {found === null && failure === null && <p aria-busy="true">Loading</p>}
      {found?.objects.length === 0 && <p>No search is saved yet.</p>}
      <ul class="saved">
        {found?.objects.map((object) => {
          const title = String(object.attributes['title'] || object.id);
          const query = searchQuery(readSavedSearch(object.attributes));
          return (
            <li key={object.id}>
              <a href={addressOf(`/app/discover?${query}`)} onClick={onClose}>
                {title}
              </a>
              <button type="button" aria-label={`Delete search ${title}`} onClick={() => void remove(object, title)}>
                Delete
              </button>
            </li>
          );
        })}
      </ul>
      {(found?.total ?? 0) > LIST_MAX && <p>Only the first {formatCount(LIST_MAX)} are shown.</p>}
      <div class="row">
        <button type="button" onClick={onClose}>
          Close
        </button>
      </div>
    </Dialog>
  );
}
