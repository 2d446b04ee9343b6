import { useState } from 'preact/hooks';
import { clusterCall, ownCall, reasonOf } from '../request/own-call.js';
import { boot, message } from '../state/session.js';
import { Dialog } from '../widgets/dialog.js';
import { Menu } from '../widgets/menu.js';

async function logOut(): Promise<void> {
  const { json } = await ownCall('POST', '/api/security/logout');
  window.location.assign((json as { location?: string } | null)?.location ?? `${boot.basePath}/login`);
}

/** What the user may do with their own account; without security only the list of keys. */
export function AccountMenu({ onKeys }: { readonly onKeys: () => void }) {
  const [isChanging, setChanging] = useState(false);
  const keys = { name: 'Keyboard shortcuts', act: onKeys };
  const name = boot.username ?? 'everybody';
  const ofUser = [
    { name: 'Change password', act: () => setChanging(true) },
    keys,
    { name: 'Log out', act: () => void logOut() },
  ];
  return (
    <>
      <Menu label={`Account: ${name}`} shown={name} items={boot.username === null ? [keys] : ofUser} />
      {isChanging && <PasswordDialog username={boot.username!} onClose={() => setChanging(false)} />}
    </>
  );
}

/** Changes the password in the cluster, then logs in with the new one: the session holds the one before. */
function PasswordDialog({ username, onClose }: { readonly username: string; readonly onClose: () => void }) {
  const [problem, setProblem] = useState('');
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const password = String(new FormData(event.currentTarget as HTMLFormElement).get('password'));
    const changed = await clusterCall('POST', '/_security/user/_password', { body: { password } });
    if (changed.status !== 200) return setProblem(reasonOf(changed));
    await ownCall('POST', '/internal/security/login', { body: { params: { username, password } } });
    message.value = 'Your password was changed.';
    onClose();
  };
  return (
    <Dialog title="Change password" onClose={onClose}>
      <form class="form" onSubmit={(event) => void submit(event as SubmitEvent)}>
        {problem !== '' && (
          <p role="alert" class="problem">
            {problem}
          </p>
        )}
        <input type="hidden" name="username" autocomplete="username" value={username} />
        <label>
          New password
          <input name="password" type="password" autocomplete="new-password" required minLength={6} autofocus />
        </label>
        <div class="row">
          <button type="submit" class="primary">
            Change password
          </button>
          <button type="button" onClick={onClose}>
            Cancel
          </button>
        </div>
      </form>
    </Dialog>
  );
}
