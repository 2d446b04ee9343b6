import { boot, isSessionOver, message, reloads } from '../state/session.js';
import { Dialog } from '../widgets/dialog.js';
import { LoginForm } from '../widgets/login-form.js';

/** Asks for the password over the page when the session ended; nothing that was typed is lost. */
export function SessionEnded() {
  if (!isSessionOver.value) return null;
  const done = (): void => {
    isSessionOver.value = false;
    message.value = 'You are logged in again.';
    reloads.value++;
  };
  return (
    <Dialog title="Your session has ended" isModalOnly onClose={() => undefined}>
      <p>Log in again to go on where you are.</p>
      <LoginForm username={boot.username ?? ''} onDone={done} />
    </Dialog>
  );
}
