// The page while the cluster does not answer, or does not accept the dashboard's own user.
import { render } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { type Boot, readBoot } from '../../boot.js';
import { ownCall, reasonOf } from '../../request/own-call.js';
import { showTheme } from '../../state/theme.js';

interface NotReadyBoot extends Boot {
  readonly state: string;
  readonly hosts: readonly string[];
  readonly said: readonly { readonly host: string; readonly reason: string }[];
  readonly reason: string | null;
  readonly ownUser: string | null;
  readonly mend: string;
  readonly hasSetup: boolean;
}

/** Pause between looks whether the dashboard is ready. */
const LOOK_MS = 2_500;
const boot = readBoot<NotReadyBoot>();

/** Loads the page that was asked for once the server is ready, and this one anew when the reason is another one. */
async function look(): Promise<void> {
  const { status, json } = await ownCall('GET', '/api/status');
  const level = (json as { status?: { overall?: { level?: string } } } | null)?.status?.overall?.level;
  const shown = boot.state === 'unauthorized' ? 'critical' : 'unavailable';
  if (status === 200 || (level !== undefined && level !== shown)) window.location.reload();
}

function SetupForm() {
  const [problem, setProblem] = useState('');
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const form = new FormData(event.currentTarget as HTMLFormElement);
    setProblem('');
    const body = { username: String(form.get('username')), password: String(form.get('password')) };
    const answer = await ownCall('POST', '/api/setup', { body });
    if (answer.status === 200) window.location.reload();
    else setProblem(reasonOf(answer));
  };
  return (
    <form class="form" onSubmit={(event) => void submit(event as SubmitEvent)}>
      <p>Or let somebody who may change passwords do it here, once. The password is not kept.</p>
      {problem !== '' && (
        <p role="alert" class="problem">
          {problem}
        </p>
      )}
      <label>
        Username
        <input name="username" autocomplete="username" required defaultValue="elastic" />
      </label>
      <label>
        Password
        <input name="password" type="password" autocomplete="current-password" required />
      </label>
      <button type="submit" class="primary">
        Set the password of kibana_system
      </button>
    </form>
  );
}

function Refused() {
  return (
    <>
      <p>
        The cluster does not accept the dashboard’s own user{boot.ownUser === null ? '' : ` ${boot.ownUser}`}:{' '}
        {boot.reason}
      </p>
      {boot.ownUser === null ? (
        <p>
          Start the dashboard with <code>elasticsearch.username</code> and <code>elasticsearch.password</code>, or a
          service account’s token.
        </p>
      ) : (
        <>
          <p>This call sets the password that the dashboard was started with:</p>
          <pre>{`${boot.mend}\n{ "password": "…" }`}</pre>
        </>
      )}
    </>
  );
}

function Silent() {
  return (
    <>
      <p>The cluster does not answer yet. Hosts that were asked:</p>
      <ul>
        {boot.hosts.map((host) => (
          <li key={host}>
            {host}: {boot.said.find((one) => one.host === host)?.reason ?? 'not asked yet'}
          </li>
        ))}
      </ul>
    </>
  );
}

function NotReadyPage() {
  useEffect(() => {
    const timer = window.setInterval(() => void look(), LOOK_MS);
    return () => window.clearInterval(timer);
  }, []);
  return (
    <main class="narrow">
      <h1>Not ready yet</h1>
      {boot.state === 'unauthorized' ? <Refused /> : <Silent />}
      {boot.hasSetup && <SetupForm />}
      <p>This page looks again by itself.</p>
      <button type="button" onClick={() => window.location.reload()}>
        Try again
      </button>
    </main>
  );
}

showTheme();
const root = document.getElementById('app')!;
root.replaceChildren();
render(<NotReadyPage />, root);
