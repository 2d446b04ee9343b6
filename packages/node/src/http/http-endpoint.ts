import {
  createHttpServer,
  createHttpStats,
  DEFAULT_HTTP_SETTINGS,
  type HttpApp,
  type HttpSettings,
  type HttpStats,
} from '@shoal/rest';
import { hostname } from 'node:os';
import type { Log } from '@shoal/doors';
import { systemClock } from '../doors/system-clock.js';
import { bindAddresses, listen, publishAddress } from './listen.js';
import type { NodeProtection } from '../security/node-protection.js';
import { isSecurityEnabled } from '../security/security-settings.js';
import { connectionsMax } from '../limits/open-files.js';
import type { NodeSettings } from '../settings/load-settings.js';

const DRAIN_MS = 10_000;

/** The bound HTTP port of a node. */
export interface HttpEndpoint {
  readonly settings: HttpSettings;
  readonly stats: HttpStats;
  readonly bound: readonly string[];
  readonly port: number;
  readonly publishHost: string;
  readonly publishPort: number;
  /** Starts to answer requests, including those that wait. */
  serve(app: HttpApp): void;
  close(): Promise<void>;
}

/** Binds the port early, so that the node knows its address. Requests wait for `serve`. */
export async function openHttp(
  settings: NodeSettings,
  { httpTls, acceptsHttp }: Pick<NodeProtection, 'httpTls' | 'acceptsHttp'>,
  log: Log,
): Promise<HttpEndpoint> {
  const httpSettings = httpSettingsOf(settings);
  const stats = createHttpStats();
  let ready: (app: HttpApp) => void = () => undefined;
  const app = new Promise<HttpApp>((resolve) => (ready = resolve));
  let serving: HttpApp | null = null;
  const proxy: HttpApp = {
    handle: (request, response) =>
      serving ? serving.handle(request, response) : void app.then((loaded) => loaded.handle(request, response)),
    drain: () => serving?.drain() ?? Promise.resolve(),
  };
  const server = createHttpServer(proxy, httpSettings, stats, systemClock, {
    accepts: acceptsHttp,
    ...(httpTls === null ? {} : { create: (await import('../tls/https-server.js')).httpsServer(httpTls, log) }),
  });
  const hosts = bindAddresses(settings, 'http');
  const port = await listen(server.server, hosts[0]!, settings.ports('http.port'), log);
  const publishHost = publishAddress(settings, hosts[0]!, 'http');
  return {
    settings: httpSettings,
    stats,
    bound: [`${hosts[0]}:${port}`],
    port,
    publishHost,
    publishPort: settings.text('http.publish_port') === null ? port : settings.ports('http.publish_port')[0],
    serve(loaded) {
      serving = loaded;
      ready(loaded);
    },
    close: () => server.close(DRAIN_MS),
  };
}

function httpSettingsOf(settings: NodeSettings): HttpSettings {
  return {
    ...DEFAULT_HTTP_SETTINGS,
    contentBytesMax: settings.bytes('http.max_content_length')!,
    bodyBytesMax: settings.bytes('shoal.http.max_body_length')!,
    headerBytesMax: settings.bytes('http.max_header_size')!,
    initialLineBytesMax: settings.bytes('http.max_initial_line_length')!,
    headersTimeoutMs: settings.milliseconds('shoal.http.headers_timeout'),
    bodyRateMin: settings.bytes('shoal.http.body_rate_min')!,
    connectionsMax: Math.min(settings.integer('shoal.http.max_connections')!, connectionsMax().http),
    pipelinedMax: settings.integer('http.pipelining.max_events')!,
    compression: settings.boolean('http.compression'),
    detailedErrors: settings.boolean('http.detailed_errors.enabled'),
    cors: settings.boolean('http.cors.enabled') ? corsSettingsOf(settings) : null,
    allowedHosts: isSecurityEnabled(settings) ? null : ownNames(settings),
  };
}

/** Names under which clients call this node, and those of `shoal.http.allowed_hosts`. */
function ownNames(settings: NodeSettings): readonly string[] {
  return [
    hostname(),
    ...[
      'node.name',
      'shoal.http.allowed_hosts',
      'http.host',
      'http.publish_host',
      'network.host',
      'network.publish_host',
    ].flatMap((name) => settings.list(name)),
  ];
}

function corsSettingsOf(settings: NodeSettings): NonNullable<HttpSettings['cors']> {
  return {
    allowOrigin: settings.text('http.cors.allow-origin') ?? '',
    allowMethods: settings.list('http.cors.allow-methods'),
    allowHeaders: settings.list('http.cors.allow-headers'),
    exposeHeaders: settings.list('http.cors.expose-headers'),
    allowCredentials: settings.boolean('http.cors.allow-credentials'),
    maxAgeSeconds: settings.integer('http.cors.max-age') ?? 0,
  };
}
