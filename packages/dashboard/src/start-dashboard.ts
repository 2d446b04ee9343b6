import type { Server } from 'node:http';
import type { Clock, Log, Random } from '@shoal/doors';
import { createClusterClient } from './cluster/cluster-client.js';
import { createUserPrivileges } from './cluster/user-privileges.js';
import { watchCluster } from './cluster/watch-cluster.js';
import type { DashboardContext } from './context.js';
import { takeReadings } from './home/readings.js';
import { openAssets } from './pages/assets.js';
import { createSavedObjectStore } from './saved-objects/object-store.js';
import { closeServer, createServer, listen } from './server.js';
import { createRedirectServer } from './tls/redirect-server.js';
import type { KeyStores } from './tls/tls-material.js';
import { createLoginLimits } from './sessions/login-limits.js';
import { createSessionRecords } from './sessions/session-records.js';
import { openSessions } from './sessions/session-store.js';
import type { DashboardSettings } from './settings/load-settings.js';

/** Effects that the dashboard is given, besides the network and its files. */
export interface DashboardDoors {
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  /** Reads PKCS#12 files. */
  readonly stores: KeyStores;
}

/** A dashboard that listens. */
export interface RunningDashboard {
  /** Address of the first page. */
  readonly address: string;
  readonly port: number;
  /** Ends requests that are under way, then closes. */
  close(): Promise<void>;
}

/**
 * Starts the server of the pages. `assetsFolder` holds what the build made of them. Throws DashboardSettingsError for
 * settings that cannot be used.
 */
export async function startDashboard(
  settings: DashboardSettings,
  assetsFolder: string,
  { clock, random, log, stores }: DashboardDoors,
): Promise<RunningDashboard> {
  const client = createClusterClient(settings.cluster, { clock, log, stores });
  const watch = watchCluster(client, settings.cluster, { clock, log });
  const context: DashboardContext = {
    settings,
    client,
    watch,
    sessions: openSessions(settings.sessions, {
      ...{ clock, random, log },
      records: settings.sessions.encryptionKey === null ? null : createSessionRecords(client, settings.cluster),
    }),
    limits: createLoginLimits(clock),
    readings: takeReadings(client, {
      authorization: settings.cluster.authorization,
      isReady: () => watch.current().state === 'ready',
      onHealth: (health) => watch.noteHealth(health),
      clock,
    }),
    privileges: createUserPrivileges(client, clock),
    savedObjects: createSavedObjectStore(client, settings.cluster, clock),
    assets: openAssets(assetsFolder, settings.server.isCompressed),
    clock,
    random,
    log,
    counts: { total: 0, disconnects: 0, running: 0, byStatus: new Map(), millis: 0, millisMax: 0 },
    startedAtMs: clock.now(),
  };
  const server = createServer(context, stores);
  const [port] = await Promise.all([listen(server, settings.server), watch.look()]);
  const redirect = await openRedirect(settings.server, port);
  const { host, basePath, tls } = settings.server;
  const shownHost = host.includes(':') ? `[${host}]` : host === '0.0.0.0' ? 'localhost' : host;
  const address = `${tls === null ? 'http' : 'https'}://${shownHost}:${port}${basePath}/`;
  warn(settings, log);
  log.write('info', 'the dashboard listens', { 'http.address': `${host}:${port}`, url: address });
  return {
    address,
    port,
    async close() {
      log.write('info', 'the dashboard stops');
      for (const part of [watch, context.readings, context.sessions]) part.close();
      redirect?.close();
      redirect?.closeAllConnections();
      await closeServer(server, context, settings.server.shutdownMs);
      client.close();
    },
  };
}

/** Opens the port of `server.ssl.redirectHttpFromPort`; null without it. */
async function openRedirect(server: DashboardSettings['server'], port: number): Promise<Server | null> {
  const from = server.tls?.redirectPort ?? null;
  if (from === null) return null;
  const redirect = createRedirectServer(port, server.publicBaseUrl);
  await listen(redirect, { ...server, port: from });
  return redirect;
}

/** Says once what an operator may not expect. */
function warn({ server, sessions, ignored }: DashboardSettings, log: Log): void {
  const isLocal = server.host === 'localhost' || server.host === '::1' || server.host.startsWith('127.');
  if (!isLocal && server.tls === null)
    log.write('warn', 'passwords and data travel unencrypted to browsers of other machines', {
      mend: 'set server.ssl.enabled, or put a proxy with TLS before the dashboard',
    });
  if (server.basePath !== '' && !server.isBasePathInRequests)
    log.write('info', 'a proxy is expected to strip the base path', {
      'server.basePath': server.basePath,
      otherwise: 'set server.rewriteBasePath: true',
    });
  if (sessions.encryptionKey === null)
    log.write('info', 'a restart ends all sessions', { mend: 'set xpack.security.encryptionKey' });
  if (ignored.length > 0) log.write('info', 'settings without effect here', { settings: ignored.join(', ') });
}
