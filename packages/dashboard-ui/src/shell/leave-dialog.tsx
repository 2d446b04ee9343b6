import { hold, leave } from '../state/router.js';
import { Dialog } from '../widgets/dialog.js';

/** Asks before changes that are not saved are left. */
export function LeaveDialog() {
  const step = leave.value;
  if (step === null) return null;
  const stay = (): void => {
    leave.value = null;
  };
  return (
    <Dialog title="Leave without saving" onClose={stay}>
      <p>{step.lost}</p>
      <div class="row">
        <button type="button" class="primary" autofocus onClick={stay}>
          Stay
        </button>
        <button
          type="button"
          onClick={() => {
            stay();
            hold.value = null;
            step.go();
          }}
        >
          Leave
        </button>
      </div>
    </Dialog>
  );
}
