import { goTo } from '../state/router.js';
import { Dialog } from './dialog.js';

/** Props of the dialog. */
interface RequestDialogProps {
  /** First line, `POST /logs/_search`, and body. */
  readonly request: string;
  readonly onClose: () => void;
}

/** A call as it is made, to look at and to take along. */
export function RequestDialog({ request, onClose }: RequestDialogProps) {
  const open = (): void => {
    onClose();
    goTo(`/app/console?${new URLSearchParams({ request })}`);
  };
  return (
    <Dialog title="Request" onClose={onClose}>
      <pre tabIndex={0} aria-label="Call">
        {request}
      </pre>
      <div class="row">
        <button type="button" onClick={open}>
          Open in console
        </button>
        <button type="button" onClick={onClose}>
          Close
        </button>
      </div>
    </Dialog>
  );
}
