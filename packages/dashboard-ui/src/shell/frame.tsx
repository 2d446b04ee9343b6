import type { ComponentType } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { PAGES, type Page } from '../pages/catalogue.js';
import { ownCall } from '../request/own-call.js';
import { usePolling } from '../state/polling.js';
import { addressOf, followLinks, goTo, place } from '../state/router.js';
import {
  boot,
  clusterAwaySince,
  clusterHealth,
  clusterSlow,
  isSessionOver,
  message,
  reloads,
} from '../state/session.js';
import { noteAnswer, noteLoss, noteMissedPing, pingsWanted } from '../state/silence.js';
import { formatTime } from '../state/format.js';
import { AccountMenu } from './account-menu.js';
import { GoTo } from './go-to.js';
import { KeysDialog, useKeys } from './keys.js';
import { LeaveDialog } from './leave-dialog.js';
import { NotFound } from './not-found.js';
import { SessionEnded } from './session-ended.js';

const PING_MS = 5_000;

/** Follows the cluster's health for the header and the alert, and the session. */
async function ping(): Promise<void> {
  const { status, json } = await ownCall('GET', '/api/ping');
  const { state, health, slow } = (json ?? {}) as {
    readonly state?: string;
    readonly health?: string | null;
    readonly slow?: typeof clusterSlow.value;
  };
  const wasAway = clusterAwaySince.value !== null;
  if (status === 200 && state === 'ready') {
    noteAnswer();
    clusterHealth.value = health ?? null;
    clusterSlow.value = slow ?? null;
    if (wasAway) reloads.value++;
  } else if (status === 401) isSessionOver.value = true;
  else if (status === 200) noteLoss();
  else noteMissedPing();
}

/** The frame around every page: skip link, header, navigation, the page, messages and dialogs. */
export function Frame() {
  const [dialog, setDialog] = useState<'go-to' | 'keys' | null>(null);
  usePolling(ping, PING_MS, [pingsWanted.value]);
  useKeys({ goTo: () => setDialog('go-to'), keys: () => setDialog('keys') });
  const [, , id = ''] = place.value.path.split('/');
  const page = PAGES.find((one) => one.id === id);
  return (
    <div class="frame" onClick={followLinks}>
      <a class="skip" href="#main" onClick={skip}>
        Skip to content
      </a>
      <header class="header">
        <span class="brand">Shoal</span>
        <HealthButton />
        <span class="space" />
        <button type="button" onClick={() => setDialog('go-to')} aria-keyshortcuts="Control+K Meta+K">
          Go to
        </button>
        <AccountMenu onKeys={() => setDialog('keys')} />
      </header>
      <nav class="nav" aria-label="Main">
        <ul>
          {PAGES.map(({ id: other, name }) => (
            <li key={other}>
              <a href={addressOf(`/app/${other}`)} aria-current={other === id ? 'page' : undefined}>
                {name}
              </a>
            </li>
          ))}
        </ul>
      </nav>
      <main id="main" tabIndex={-1} class="main">
        {!boot.hasSecurity && (
          <p class="bar">This cluster has no security: everybody who reaches it may do everything.</p>
        )}
        <AwayAlert />
        <SlowNote />
        {page === undefined ? <NotFound /> : <PageView key={page.id} page={page} />}
      </main>
      <div role="status" aria-label="Messages" class="messages">
        {message.value}
      </div>
      {dialog === 'go-to' && <GoTo onClose={() => setDialog(null)} />}
      {dialog === 'keys' && <KeysDialog onClose={() => setDialog(null)} />}
      <LeaveDialog />
      <SessionEnded />
    </div>
  );
}

function skip(event: MouseEvent): void {
  event.preventDefault();
  document.getElementById('main')!.focus();
}

/** The health in words; the button leads to what it means. */
function HealthButton() {
  const shown = clusterAwaySince.value === null ? (clusterHealth.value ?? 'unknown') : 'unreachable';
  return (
    <button
      type="button"
      class={`health health-${shown}`}
      aria-label={`Cluster status: ${shown}`}
      onClick={() => goTo('/app/home')}
    >
      {shown}
    </button>
  );
}

function AwayAlert() {
  const since = clusterAwaySince.value;
  if (since === null) return null;
  return (
    <div role="alert" class="problem">
      <strong>The cluster does not answer</strong> since {formatTime(since)}. What is shown is older. The page looks
      again by itself.
    </div>
  );
}

/** A cluster that is late with some calls is there all the same: its pages work, though what they show may be older. */
function SlowNote() {
  const slow = clusterSlow.value;
  if (slow === null || clusterAwaySince.value !== null) return null;
  return (
    <p class="bar">
      <strong>The cluster answers slowly</strong> since {formatTime(slow.since)}: it is late with{' '}
      {slow.calls.map((call, i) => (
        <span key={call}>
          {i > 0 && ' and '}
          <code>{call}</code>
        </span>
      ))}
      . What is shown may be older.
    </p>
  );
}

/** Loads a page's script and shows it; the focus moves to its heading, unless it is the first page. */
function PageView({ page }: { readonly page: Page }) {
  const [loaded, setLoaded] = useState<{ readonly Component: ComponentType } | 'failed' | null>(null);
  const box = useRef<HTMLDivElement>(null);
  const isFirst = useRef(document.activeElement === document.body);
  useEffect(() => {
    document.title = `${page.name} · Shoal`;
    page.load().then(
      ({ Page: Component }) => setLoaded({ Component }),
      () => setLoaded('failed'),
    );
  }, []);
  useEffect(() => {
    if (loaded !== null && !isFirst.current) box.current?.querySelector('h1')?.focus();
  }, [loaded]);
  if (loaded === 'failed')
    return (
      <div role="alert" class="problem">
        <h1>{page.name}</h1>
        <p>The page could not be loaded. It may be of another version now: load it anew.</p>
      </div>
    );
  return (
    <div ref={box}>
      {loaded === null ? (
        <h1 tabIndex={-1} aria-busy="true">
          {page.name}
        </h1>
      ) : (
        <loaded.Component />
      )}
    </div>
  );
}
