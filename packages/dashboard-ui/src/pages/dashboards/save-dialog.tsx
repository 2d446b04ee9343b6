import { useState } from 'preact/hooks';
import { reasonOf } from '../../request/own-call.js';
import { readObject, type SavedObject, writeObject } from '../../request/saved-objects.js';
import { Dialog } from '../../widgets/dialog.js';
import type { Dashboard } from './panel.js';

/** What was read of a saved dashboard. */
export type SavedVersion = Pick<SavedObject, 'id' | 'version'>;

/** Props of the dialog. */
interface SaveDialogProps {
  readonly dashboard: Dashboard;
  /** What it was read as; null for a new one. */
  readonly saved: SavedVersion | null;
  readonly onClose: () => void;
  readonly onSaved: (dashboard: Dashboard, saved: SavedVersion) => void;
}

/** Saves a dashboard; when somebody else saved it in the meantime, that is told, and the user chooses. */
export function SaveDialog({ dashboard, saved, onClose, onSaved }: SaveDialogProps) {
  const [title, setTitle] = useState(saved === null ? '' : dashboard.title);
  const [problem, setProblem] = useState('');
  const [isConflict, setConflict] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const busy = async (call: Promise<void>): Promise<void> => {
    setBusy(true);
    await call;
    setBusy(false);
  };
  const write = async (old: SavedVersion | null): Promise<void> => {
    const named = { ...dashboard, title: title.trim() };
    if (named.title === '') return setProblem('Give it a title.');
    const answer = await writeObject('dashboard', named, old);
    if (answer.status === 200) return onSaved(named, answer.json as SavedObject);
    setConflict(answer.status === 409);
    setProblem(
      answer.status === 409
        ? 'Somebody else saved this dashboard after you opened it. Nothing of theirs or yours is lost yet.'
        : reasonOf(answer),
    );
  };
  const overwrite = async (): Promise<void> => {
    const answer = await readObject('dashboard', saved!.id);
    if (answer.status === 200) await write(answer.json as SavedObject);
    else setProblem(reasonOf(answer));
  };
  return (
    <Dialog title="Save dashboard" onClose={onClose}>
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault();
          void busy(write(saved));
        }}
      >
        {problem !== '' && (
          <p role="alert" class="problem">
            {problem}
          </p>
        )}
        <label>
          Title
          <input
            value={title}
            maxLength={200}
            required
            autocomplete="off"
            autofocus
            onInput={(event) => setTitle(event.currentTarget.value)}
          />
        </label>
        <Choices
          isBusy={isBusy}
          isConflict={isConflict}
          isSaved={saved !== null}
          onReplace={() => void busy(overwrite())}
          onNew={() => void busy(write(null))}
          onClose={onClose}
        />
      </form>
    </Dialog>
  );
}

/** Props of the buttons. */
interface ChoicesProps {
  readonly isBusy: boolean;
  readonly isConflict: boolean;
  readonly isSaved: boolean;
  readonly onReplace: () => void;
  readonly onNew: () => void;
  readonly onClose: () => void;
}

function Choices({ isBusy, isConflict, isSaved, onReplace, onNew, onClose }: ChoicesProps) {
  return (
    <div class="row">
      <button type="submit" class="primary" disabled={isBusy}>
        Save
      </button>
      {isConflict && (
        <button type="button" disabled={isBusy} onClick={onReplace}>
          Replace theirs
        </button>
      )}
      {(isConflict || isSaved) && (
        <button type="button" disabled={isBusy} onClick={onNew}>
          As a new dashboard
        </button>
      )}
      <button type="button" onClick={onClose}>
        Cancel
      </button>
    </div>
  );
}
