import { useRef, useState } from 'preact/hooks';
import { ownCall, reasonOf } from '../request/own-call.js';

/** Props of the form. */
interface LoginFormProps {
  /** Name to begin with. */
  readonly username?: string;
  /** Called with the address that the server leads to. */
  readonly onDone: (location: string) => void;
}

/** Name and password, checked by the server. Takes pasted text and password managers. */
export function LoginForm({ username = '', onDone }: LoginFormProps) {
  const [problem, setProblem] = useState('');
  const [isBusy, setBusy] = useState(false);
  const [isShown, setShown] = useState(false);
  const password = useRef<HTMLInputElement>(null);
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const form = new FormData(event.currentTarget as HTMLFormElement);
    setBusy(true);
    setProblem('');
    const answer = await ownCall('POST', '/internal/security/login', {
      body: {
        providerType: 'basic',
        providerName: 'basic',
        currentURL: window.location.href,
        params: { username: String(form.get('username')), password: String(form.get('password')) },
      },
    });
    setBusy(false);
    if (answer.status === 200) return onDone((answer.json as { location: string }).location);
    setProblem(reasonOf(answer));
    password.current?.focus();
  };
  return (
    <form class="form" onSubmit={(event) => void submit(event as SubmitEvent)}>
      {problem !== '' && (
        <p role="alert" class="problem">
          {problem}
        </p>
      )}
      <label>
        Username
        <input name="username" autocomplete="username" required defaultValue={username} autofocus={username === ''} />
      </label>
      <label>
        Password
        <input
          ref={password}
          name="password"
          type={(isShown ? 'text' : 'password') as 'password'}
          autocomplete="current-password"
          required
          autofocus={username !== ''}
        />
      </label>
      <div class="row">
        <button type="submit" class="primary" disabled={isBusy}>
          Log in
        </button>
        <button type="button" aria-pressed={isShown} onClick={() => setShown(!isShown)}>
          Show password
        </button>
      </div>
    </form>
  );
}
