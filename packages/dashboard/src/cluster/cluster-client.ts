import http from 'node:http';
import https from 'node:https';
import type { TLSSocket } from 'node:tls';
import type { Clock, Log } from '@shoal/doors';
import type { DashboardSettings } from '../settings/load-settings.js';
import { followFiles } from '../tls/follow-files.js';
import { type KeyStores, readTlsMaterial, tlsFilesOf } from '../tls/tls-material.js';
import { type ClusterHost, HostList } from './host-list.js';

/** Broken connections in a row that a call without effects is repeated after. */
const STALE_MAX = 3;
/** Connections to one host. */
const SOCKETS_MAX = 100;
/** Largest answer that the dashboard reads for itself; the way through has no such limit. */
const OWN_ANSWER_BYTES_MAX = 16 * 2 ** 20;

/** A request to the cluster, before a host is chosen. */
export interface ClusterRequest {
  readonly method: string;
  /** Path and query, beginning with a slash. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** An answer that was read to its end. */
export interface ClusterAnswer {
  readonly status: number;
  readonly headers: http.IncomingHttpHeaders;
  readonly body: Buffer;
}

/** No host answered: what each said, in the order of asking. */
export class NoHostError extends Error {
  override readonly name = 'NoHostError';
  readonly said: readonly { readonly host: string; readonly reason: string }[];
  constructor(said: NoHostError['said']) {
    super(said.map(({ host, reason }) => `${host}: ${reason}`).join('; '));
    this.said = said;
  }
}

/** The cluster got the request and did not begin an answer, so no other host is asked. */
export class NoAnswerError extends Error {
  override readonly name = 'NoAnswerError';
  /** Whether it took too long; else the connection broke. */
  readonly isLate: boolean;
  constructor(message: string, isLate = false) {
    super(message);
    this.isLate = isLate;
  }
}

/** Calls to the cluster that the settings name, and to nothing else. */
export interface ClusterClient {
  /**
   * Opens a request on the first host that takes a connection and hands it to `send`, which writes the body and ends
   * the request. Another host is asked only while no byte was sent. Throws NoHostError or NoAnswerError.
   */
  open(
    request: ClusterRequest,
    send: (outgoing: http.ClientRequest) => void,
    timeoutMs: number,
  ): Promise<http.IncomingMessage>;
  /** Makes a small call. `authorization`: null for none. */
  call(
    method: string,
    path: string,
    options: {
      readonly authorization: string | null;
      /** A value, sent as JSON, or bytes that are JSON already. */
      readonly body?: unknown;
      readonly timeoutMs?: number;
    },
  ): Promise<ClusterAnswer>;
  /** Milliseconds since 1970 of the last answer, to whomever; -Infinity before the first. */
  answeredAtMs(): number;
  /** Closes idle connections. */
  close(): void;
}

/** What the client is given, besides the network. */
export interface ClusterDoors {
  readonly clock: Clock;
  readonly log: Log;
  readonly stores: KeyStores;
}

/** Creates the client. Throws DashboardSettingsError for certificates that cannot be read. */
export function createClusterClient(
  settings: DashboardSettings['cluster'],
  { clock, log, stores }: ClusterDoors,
): ClusterClient {
  const hosts = new HostList(settings.hosts);
  const agents: Agents = { http: new http.Agent(AGENT), ...secureAgents(settings, stores) };
  const unfollow = followCertificates(settings, agents, { clock, log, stores });
  let answeredAtMs = Number.NEGATIVE_INFINITY;
  const open: ClusterClient['open'] = async (request, send, timeoutMs) => {
    const said: { host: string; reason: string }[] = [];
    let refused: http.IncomingMessage | null = null;
    const isOwn = (request.headers['authorization'] ?? null) === settings.authorization;
    for (const host of hosts.inOrder(clock.now())) {
      const on = (): Promise<Attempt> => {
        const agent = host.url.protocol === 'https:' ? (isOwn ? agents.own : agents.users) : agents.http;
        return attemptOn(host, agent, request, send, clock, timeoutMs);
      };
      let attempt = await on();
      // A host that was started anew has closed connections that the agent still keeps.
      for (let i = 0; i < STALE_MAX && isRepeatable(attempt, request); i++) attempt = await on();
      if ('answer' in attempt) {
        refused?.resume();
        if (!isLeft(attempt.answer, request)) {
          hosts.answered(host);
          answeredAtMs = clock.now();
          return attempt.answer;
        }
        refused = attempt.answer;
        hosts.failed(host, clock.now());
        continue;
      }
      if (attempt.isHostAtFault) hosts.failed(host, clock.now());
      if (attempt.wasSent) {
        // What nobody reads would keep its connection.
        refused?.destroy();
        throw new NoAnswerError(attempt.reason, attempt.isLate);
      }
      said.push({ host: host.url.origin, reason: attempt.reason });
    }
    if (refused !== null) return refused;
    throw new NoHostError(said);
  };
  return {
    open,
    async call(method, path, { authorization, body, timeoutMs = settings.requestTimeoutMs }) {
      const bytes = body === undefined ? null : bytesOf(body);
      const headers: Record<string, string> = {
        ...settings.customHeaders,
        accept: 'application/json',
        ...(authorization === null ? {} : { authorization }),
        ...(bytes === null ? {} : { 'content-type': 'application/json', 'content-length': String(bytes.length) }),
      };
      const answer = await open({ method, path, headers }, (outgoing) => outgoing.end(bytes ?? undefined), timeoutMs);
      return { status: answer.statusCode!, headers: answer.headers, body: await readAll(answer) };
    },
    answeredAtMs: () => answeredAtMs,
    close() {
      unfollow();
      for (const agent of [agents.http, agents.own, agents.users]) agent.destroy();
    },
  };
}

/** Reads changed certificates again, for connections that are opened then; returns what ends it. */
function followCertificates(
  settings: DashboardSettings['cluster'],
  agents: Agents,
  { clock, log, stores }: ClusterDoors,
): () => void {
  const files = tlsFilesOf(settings.tls);
  return followFiles(files, clock, () => {
    try {
      const { own, users } = agents;
      Object.assign(agents, secureAgents(settings, stores));
      for (const before of [own, users]) endWhenFree(before);
      log.write('info', 'certificates for the cluster were read again', { files: files.join(', ') });
    } catch (error) {
      log.write('warn', 'certificates for the cluster cannot be used; those before stay', { error });
    }
  });
}

const bytesOf = (body: unknown): Buffer =>
  body instanceof Uint8Array
    ? Buffer.from(body.buffer, body.byteOffset, body.length)
    : Buffer.from(JSON.stringify(body));

const AGENT = { keepAlive: true, maxSockets: SOCKETS_MAX };

/**
 * A cluster with a realm for certificates may take a call for that of the certificate's owner, whatever else it says:
 * calls of users show the dashboard's own only if the settings say so.
 */
function secureAgents(settings: DashboardSettings['cluster'], stores: KeyStores): Pick<Agents, 'own' | 'users'> {
  const own = secureAgent(settings, stores);
  if (settings.tls.identity === null || settings.isCertificateForUsers) return { own, users: own };
  return { own, users: secureAgent({ ...settings, tls: { ...settings.tls, identity: null } }, stores) };
}

function secureAgent({ tls, verification }: DashboardSettings['cluster'], stores: KeyStores): https.Agent {
  return new https.Agent({
    ...AGENT,
    ...readTlsMaterial(tls, stores),
    rejectUnauthorized: verification !== 'none',
    ...(verification === 'certificate' ? { checkServerIdentity: () => undefined } : {}),
  });
}

/** Closes the free connections of an agent, and the others once their answers are over. */
function endWhenFree(agent: https.Agent): void {
  agent.maxFreeSockets = 0;
  for (const sockets of Object.values(agent.freeSockets)) for (const socket of sockets ?? []) socket.destroy();
}

/** The message of a request that its caller gave up: no fault of the host. */
export const ABANDONED = 'the caller hung up';
const isAbandoned = (error: Error): boolean => error.message === ABANDONED;

type Attempt =
  | { readonly answer: http.IncomingMessage }
  | {
      readonly reason: string;
      readonly wasSent: boolean;
      readonly isHostAtFault: boolean;
      readonly isLate: boolean;
      /** Whether a connection that was used before broke. */
      readonly isStale: boolean;
    };

/** Whether a call that changes nothing and has no body broke with the connection that it was given. */
const isRepeatable = (attempt: Attempt, request: ClusterRequest): boolean =>
  'isStale' in attempt && attempt.isStale && isHarmless(request);

const isHarmless = ({ method, headers }: ClusterRequest): boolean =>
  (method === 'GET' || method === 'HEAD') &&
  headers['content-length'] === undefined &&
  headers['transfer-encoding'] === undefined;

/** Connections to the cluster. */
interface Agents {
  readonly http: http.Agent;
  /** Of calls with the dashboard's own credentials. */
  own: https.Agent;
  /** Of calls of users. */
  users: https.Agent;
}

/** A node that leaves, or has no master, answers 503: what has no body and changes nothing is asked of the next one. */
const isLeft = ({ statusCode }: http.IncomingMessage, request: ClusterRequest): boolean =>
  statusCode === 503 && isHarmless(request);

/**
 * One request to one host. Nothing is written before the connection stands, so a refused one costs nothing and the
 * body can still go elsewhere.
 */
function attemptOn(
  host: ClusterHost,
  agent: http.Agent,
  { method, path, headers }: ClusterRequest,
  send: (outgoing: http.ClientRequest) => void,
  clock: Clock,
  timeoutMs: number,
): Promise<Attempt> {
  return new Promise((resolve) => {
    const isTls = host.url.protocol === 'https:';
    const base = host.url.pathname.replace(/\/$/, '');
    const outgoing = (isTls ? https : http).request({
      agent,
      host: host.url.hostname.replace(/^\[|\]$/g, ''),
      port: host.url.port === '' ? (isTls ? 443 : 80) : Number(host.url.port),
      method,
      path: base + path,
      headers: { ...headers, host: host.url.host },
    });
    let wasSent = false;
    let isLate = false;
    const timer = clock.after(timeoutMs, () => {
      isLate = true;
      outgoing.destroy(new Error(`no answer within ${timeoutMs} ms`));
    });
    outgoing.on('error', (error: NodeJS.ErrnoException) => {
      timer.cancel();
      resolve({
        reason: error.message || error.code || error.name,
        wasSent,
        isHostAtFault: !isAbandoned(error),
        isLate,
        isStale: outgoing.reusedSocket && !isLate && !isAbandoned(error),
      });
    });
    outgoing.on('response', (answer) => {
      timer.cancel();
      resolve({ answer });
    });
    const begin = (): void => {
      if (outgoing.destroyed) return;
      wasSent = true;
      send(outgoing);
    };
    outgoing.on('socket', (socket) => {
      if (!socket.connecting) begin();
      else socket.once('encrypted' in socket && (socket as TLSSocket).encrypted ? 'secureConnect' : 'connect', begin);
    });
  });
}

/** Reads a small answer. Throws if it is larger than what the dashboard reads for itself. */
async function readAll(answer: http.IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of answer) {
    chunks.push(chunk as Buffer);
    size += (chunk as Buffer).length;
    if (size > OWN_ANSWER_BYTES_MAX) throw new NoAnswerError(`the answer has more than ${OWN_ANSWER_BYTES_MAX} bytes`);
  }
  return Buffer.concat(chunks);
}
