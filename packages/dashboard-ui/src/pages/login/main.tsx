// The page before a login, and the one that logs out.
import { render } from 'preact';
import { useEffect } from 'preact/hooks';
import { type Boot, readBoot } from '../../boot.js';
import { ownCall } from '../../request/own-call.js';
import { showTheme } from '../../state/theme.js';
import { LoginForm } from '../../widgets/login-form.js';

interface LoginBoot extends Boot {
  readonly message?: string | null;
  readonly isLogout?: boolean;
}

/** Texts for `?msg=`; others say nothing. */
const MESSAGES: Readonly<Record<string, string>> = {
  LOGGED_OUT: 'You have logged out.',
  SESSION_EXPIRED: 'Your session has ended. Log in again.',
};

const boot = readBoot<LoginBoot>();

function LoginPage() {
  const key = boot.message ?? '';
  const text = Object.hasOwn(MESSAGES, key) ? MESSAGES[key] : null;
  return (
    <main class="narrow">
      <h1>Log in to Shoal</h1>
      {text !== null && <p role="status">{text}</p>}
      <LoginForm onDone={(location) => window.location.assign(location)} />
    </main>
  );
}

function LogoutPage() {
  useEffect(() => {
    void ownCall('POST', '/api/security/logout').then(({ json }) =>
      window.location.assign((json as { location?: string } | null)?.location ?? `${boot.basePath}/`),
    );
  }, []);
  return (
    <main class="narrow">
      <h1>Logging out</h1>
    </main>
  );
}

showTheme();
const root = document.getElementById('app')!;
root.replaceChildren();
render(boot.isLogout === true ? <LogoutPage /> : <LoginPage />, root);
