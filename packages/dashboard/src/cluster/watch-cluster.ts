import type { Clock, Log, TimerHandle } from '@shoal/doors';
import type { DashboardSettings } from '../settings/load-settings.js';
import { type ClusterClient, NoHostError } from './cluster-client.js';
import { afterLook, type ClusterLook, isUnsure, MEND, type Readiness, readLook, UNKNOWN } from './readiness.js';

/** Pause between looks at the cluster. */
const LOOK_MS = 2_500;
/** Pause before the look that tells whether one without an answer was chance. */
const AGAIN_MS = 500;
/** A state that is not `ready` is logged again after so long. */
const REPEAT_MS = 60_000;

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
  let loggedAtMs = Number.NEGATIVE_INFINITY;
  let running: Promise<Readiness> | null = null;
  // A health that was noted while a look ran: the look asked earlier, so its own health is older.
  let noted: string | null = null;
  let timer: TimerHandle | null = null;
  let isClosed = false;
  const take = (look: ClusterLook): Readiness => {
    const now = clock.now();
    const before = readiness.look.kind;
    readiness = afterLook(readiness, noted === null ? look : withHealth(look, noted), now);
    const isNew = readiness.look.kind !== before || loggedAtMs === Number.NEGATIVE_INFINITY;
    if (isNew || (readiness.state !== 'ready' && now - loggedAtMs >= REPEAT_MS)) {
      loggedAtMs = now;
      writeState(log, readiness, settings);
    }
    return readiness;
  };
  const look = (): Promise<Readiness> => {
    if (running !== null) return running;
    noted = null;
    running = lookAt(client, settings)
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

async function lookAt(
  client: ClusterClient,
  { authorization, pingTimeoutMs }: DashboardSettings['cluster'],
): Promise<ClusterLook> {
  const ask = (path: string) => client.call('GET', path, { authorization, timeoutMs: pingTimeoutMs });
  try {
    const [root, who, health] = await Promise.all(['/', '/_security/_authenticate', '/_cluster/health'].map(ask));
    return readLook(root!, who!, health!);
  } catch (error) {
    const said = error instanceof NoHostError ? error.said : [{ host: 'cluster', reason: (error as Error).message }];
    return { kind: 'silent', said };
  }
}

function writeState(log: Log, { state, look }: Readiness, { hosts, username }: DashboardSettings['cluster']): void {
  if (look.kind === 'answered')
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
  else
    log.write('warn', state === 'lost' ? 'the cluster does not answer any more' : 'the cluster does not answer yet', {
      said: look.said.map(({ host, reason }) => `${host}: ${reason}`).join('; '),
    });
}
