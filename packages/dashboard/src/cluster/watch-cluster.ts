import type { Clock, Log, TimerHandle } from '@shoal/doors';
import type { DashboardSettings } from '../settings/load-settings.js';
import { type ClusterClient, NoAnswerError, NoHostError } from './cluster-client.js';
import {
  afterLook,
  callName,
  type ClusterLook,
  isUnsure,
  LOOK_PATHS,
  MEND,
  type Readiness,
  readLook,
  slownessOf,
  UNKNOWN,
} from './readiness.js';

/** Pause between looks at the cluster. */
const LOOK_MS = 2_500;
/** Pause before the look that tells whether one without an answer was chance. */
const AGAIN_MS = 500;
/** A state that is not `ready` is logged again after so long. */
const REPEAT_MS = 60_000;
const NEVER_MS = Number.NEGATIVE_INFINITY;

/** The cluster as the dashboard sees it, looked at every 2.5 s, and sooner after a look without an answer. */
export interface ClusterWatch {
  current(): Readiness;
  /** Looks now, after a call failed; calls within a look share it. */
  look(): Promise<Readiness>;
  /** Takes the health that a reading of the cluster found: it is newer than that of the last look. */
  noteHealth(health: string): void;
  close(): void;
}

/** Starts to look. */
export function watchCluster(
  client: ClusterClient,
  settings: DashboardSettings['cluster'],
  { clock, log }: { readonly clock: Clock; readonly log: Log },
): ClusterWatch {
  let readiness = UNKNOWN;
  let loggedAtMs = NEVER_MS;
  let running: Promise<Readiness> | null = null;
  // A health that was noted while a look ran: the look asked earlier, so its own health is older.
  let noted: string | null = null;
  let timer: TimerHandle | null = null;
  let isClosed = false;
  const take = (look: ClusterLook): Readiness => {
    const now = clock.now();
    const before = { kind: readiness.look.kind, isSlow: slownessOf(readiness) !== null };
    readiness = afterLook(readiness, noted === null ? look : withHealth(look, noted), now);
    const isSlow = slownessOf(readiness) !== null;
    const isNew = readiness.look.kind !== before.kind || isSlow !== before.isSlow || loggedAtMs === NEVER_MS;
    if (isNew || ((readiness.state !== 'ready' || isSlow) && now - loggedAtMs >= REPEAT_MS)) {
      loggedAtMs = now;
      writeState(log, readiness, settings);
    }
    return readiness;
  };
  const look = (): Promise<Readiness> => {
    if (running !== null) return running;
    noted = null;
    running = lookAt(client, settings, clock)
      .then(take)
      .finally(() => {
        running = null;
        timer?.cancel();
        if (!isClosed) timer = clock.after(isUnsure(readiness) ? AGAIN_MS : LOOK_MS, () => void look());
      });
    return running;
  };
  return {
    current: () => readiness,
    look,
    noteHealth(health) {
      noted = health;
      readiness = { ...readiness, look: withHealth(readiness.look, health) };
    },
    close() {
      isClosed = true;
      timer?.cancel();
    },
  };
}

const withHealth = (look: ClusterLook, health: string): ClusterLook =>
  look.kind === 'answered' ? { ...look, health } : look;

/**
 * Asks who the cluster is, whether it knows the dashboard's user, and for its health. A call that is late while the
 * cluster answers others, of the look or of users, does not tell that it is away.
 */
async function lookAt(
  client: ClusterClient,
  { authorization, pingTimeoutMs }: DashboardSettings['cluster'],
  clock: Clock,
): Promise<ClusterLook> {
  const startedAtMs = clock.now();
  const ask = (path: string) => client.call('GET', path, { authorization, timeoutMs: pingTimeoutMs });
  const outcomes = await Promise.allSettled(LOOK_PATHS.map(ask));
  const [root, who, health] = outcomes.map((outcome) => (outcome.status === 'fulfilled' ? outcome.value : null));
  const failures = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason as Error] : []));
  const isSlow = failures.every(isLateAnswer) && client.answeredAtMs() >= startedAtMs;
  const [failure] = failures;
  if (failure === undefined || (isSlow && root && who)) return readLook(root!, who!, health!);
  if (isSlow)
    return { kind: 'slow', late: LOOK_PATHS.filter((_, i) => outcomes[i]!.status === 'rejected').map(callName) };
  const said = failure instanceof NoHostError ? failure.said : [{ host: 'cluster', reason: failure.message }];
  return { kind: 'silent', said };
}

const isLateAnswer = (error: Error): boolean => error instanceof NoAnswerError && error.isLate;

function writeState(log: Log, readiness: Readiness, { hosts, username }: DashboardSettings['cluster']): void {
  const { state, look } = readiness;
  const slowness = slownessOf(readiness);
  if (slowness !== null)
    log.write('warn', 'the cluster answers slowly', {
      calls: slowness.calls.join(', '),
      since: new Date(slowness.since).toISOString(),
    });
  else if (look.kind === 'answered')
    log.write('info', 'the cluster is ready', {
      'cluster.name': look.clusterName,
      'cluster.version': look.version,
      'cluster.security': look.hasSecurity,
    });
  else if (look.kind === 'refused')
    log.write('warn', 'the cluster does not accept the user of the dashboard', {
      'cluster.hosts': hosts.map(({ origin }) => origin).join(','),
      'user.name': username ?? 'none',
      'http.response.status_code': look.status,
      reason: look.reason,
      mend: MEND,
    });
  else if (look.kind === 'silent')
    log.write('warn', state === 'lost' ? 'the cluster does not answer any more' : 'the cluster does not answer yet', {
      said: look.said.map(({ host, reason }) => `${host}: ${reason}`).join('; '),
    });
}
