import { createHash } from 'node:crypto';
import { isIP } from 'node:net';
import type { S3Place } from '@shoal/coordinator';
import { type Clock, pause, type Random } from '@shoal/doors';
import { errors } from '@shoal/errors';
import type { S3Client } from './s3-clients.js';
import type { StoreAnswer, StoreHttp, StoreRequest } from './s3-http.js';
import { encodePart, queryString, sha256, signedHeaders } from './signature.js';
import { element } from './xml.js';

/** What a request asks of a bucket. */
export interface BucketRequest {
  readonly method: 'GET' | 'PUT' | 'POST' | 'DELETE' | 'HEAD';
  readonly key: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array;
  /** Statuses besides 2xx that are answers, not errors. */
  readonly expected?: readonly number[];
}

/** Time, randomness and the network. */
export interface BucketDoors {
  readonly clock: Clock;
  readonly random: Random;
  readonly http: (timeoutMs: number) => StoreHttp;
}

const NO_BYTES = new Uint8Array(0);
const NEVER = new AbortController().signal;
/** The first pause before a request is repeated, for faults and for a store that asks to slow down; in milliseconds. */
const [PAUSE_MS, THROTTLED_PAUSE_MS, PAUSE_MS_MAX] = [100, 500, 20_000];
/** Codes of errors that say that there were too many requests. */
const THROTTLED = new Set(['SlowDown', 'Throttling', 'ThrottlingException', 'RequestLimitExceeded', 'TooManyRequests']);
const TRANSIENT = new Set(['RequestTimeout', 'InternalError', 'OperationAborted', 'ServiceUnavailable']);
/** Names of buckets that can be part of a host. Dots do not fit certificates. */
const HOST_PART = /^[a-z0-9][a-z0-9-]{1,61}[a-z0-9]$/;

/** Server and region of a place, and the path of a bucket on it. */
interface Target {
  readonly protocol: 'http' | 'https';
  readonly host: string;
  readonly port: number;
  /** As in the header `host`. */
  readonly authority: string;
  readonly pathPrefix: string;
  readonly region: string;
}

function urlOf(text: string): URL {
  if (URL.canParse(text)) return new URL(text);
  throw errors.illegalArgument(`[${text}] is no endpoint of S3: expected a host with or without a scheme and a port`);
}

function targetOf(place: S3Place, client: S3Client): Target {
  const region = place.region ?? client.region;
  const given =
    place.endpoint ?? client.endpoint ?? (region === null ? 's3.amazonaws.com' : `s3.${region}.amazonaws.com`);
  const url = urlOf(/^https?:\/\//.test(given) ? given : `${place.protocol ?? client.protocol}://${given}`);
  const protocol = url.protocol === 'http:' ? 'http' : 'https';
  const named = /^s3[.-]([a-z0-9-]+)\.amazonaws\.com$/.exec(url.hostname)?.[1];
  const isAddress = isIP(url.hostname.replace(/^\[|\]$/g, '')) !== 0 || url.hostname === 'localhost';
  const inPath = place.pathStyle ?? client.pathStyle ?? (isAddress || !HOST_PART.test(place.bucket));
  const host = inPath ? url.hostname : `${place.bucket}.${url.hostname}`;
  const folder = url.pathname.replace(/\/+$/, '');
  return {
    protocol,
    host: host.replace(/^\[|\]$/g, ''),
    port: url.port === '' ? (protocol === 'https' ? 443 : 80) : Number(url.port),
    authority: url.port === '' ? host : `${host}:${url.port}`,
    pathPrefix: inPath ? `${folder}/${encodePart(place.bucket)}` : folder,
    region: region ?? named ?? 'us-east-1',
  };
}

/** Why a request failed, and whether to repeat it. */
interface Failure {
  readonly reason: string;
  readonly code: string;
  readonly kind: 'throttled' | 'transient' | 'final';
}

function failureOf({ status, body }: StoreAnswer): Failure {
  const xml = body.toString('utf8');
  const code = element(xml, 'Code') ?? '';
  const message = element(xml, 'Message');
  const isThrottled = THROTTLED.has(code) || status === 429 || (status === 503 && code === '');
  const kind = isThrottled ? 'throttled' : status >= 500 || TRANSIENT.has(code) ? 'transient' : 'final';
  return { reason: `status ${status}${code && ` ${code}`}${message === null ? '' : `: ${message}`}`, code, kind };
}

/** Whether an answer with status 200 holds an error: stores send the status of long requests before their outcome. */
const holdsError = ({ status, body }: StoreAnswer): boolean =>
  status === 200 && body.length < 4096 && /^\s*(?:<\?xml[^>]*\?>\s*)?<Error>/.test(body.toString('utf8'));

/** Requests to one bucket: signed, repeated if the store is busy or a connection fails. */
export class S3Bucket {
  readonly place: S3Place;
  readonly #client: S3Client;
  readonly #doors: BucketDoors;
  readonly #target: Target;

  /** Throws illegal_argument_exception for an endpoint that is none. */
  constructor(place: S3Place, client: S3Client, doors: BucketDoors) {
    [this.place, this.#client, this.#doors] = [place, client, doors];
    this.#target = targetOf(place, client);
  }

  /** Sends a request. Throws i_o_exception with what the store said when it refuses, or when no retry helps. */
  async send(request: BucketRequest): Promise<StoreAnswer> {
    const retries = this.place.maxRetries ?? this.#client.maxRetries;
    const whenThrottled = (this.place.throttleRetries ?? this.#client.throttleRetries) ? retries : 0;
    for (let attempt = 0; ; attempt++) {
      const outcome = await this.#attempt(request);
      if (!('kind' in outcome)) return outcome;
      const isLast = attempt >= (outcome.kind === 'throttled' ? whenThrottled : retries);
      if (outcome.kind === 'final' || isLast) throw this.#error(request, outcome, attempt + 1);
      const first = outcome.kind === 'throttled' ? THROTTLED_PAUSE_MS : PAUSE_MS;
      const { clock, random } = this.#doors;
      await pause(clock, random.next() * Math.min(PAUSE_MS_MAX, first * 2 ** attempt), NEVER);
    }
  }

  #error({ method, key }: BucketRequest, { reason, code }: Failure, attempts: number): Error {
    const times = attempts > 1 ? ` after ${attempts} attempts` : '';
    const what = `${method} [${this.place.bucket}/${key}] of [${this.#target.authority}]`;
    return errors.ioError(`${what} failed${times}: ${reason}`, { meta: { store_error: code } });
  }

  async #attempt(request: BucketRequest): Promise<StoreAnswer | Failure> {
    try {
      const http = this.#doors.http(this.place.readTimeoutMs ?? this.#client.readTimeoutMs);
      const answer = await http.send(this.#signed(request));
      const isExpected = Math.floor(answer.status / 100) === 2 || request.expected?.includes(answer.status);
      if (!isExpected) return failureOf(answer);
      return request.method !== 'GET' && holdsError(answer) ? { ...failureOf(answer), kind: 'transient' } : answer;
    } catch (error) {
      return { reason: (error as Error).message, code: '', kind: 'transient' };
    }
  }

  #signed({ method, key, query = {}, headers = {}, body = NO_BYTES }: BucketRequest): StoreRequest {
    const { protocol, host, port, authority, pathPrefix, region } = this.#target;
    const path = `${pathPrefix}/${key.split('/').map(encodePart).join('/')}`;
    const text = queryString(query);
    const all = {
      ...headers,
      host: authority,
      'content-length': String(body.length),
      ...(body.length > 0 ? { 'content-md5': createHash('md5').update(body).digest('base64') } : {}),
    };
    const { keys } = this.#client;
    if (keys === null) throw errors.illegalState(`the keystore has no keys of the client [${this.place.client}]`);
    const unsigned = { method, path, query, headers: all, bodyHash: sha256(body), region, keys };
    return {
      method,
      protocol,
      host,
      port,
      target: text === '' ? path : `${path}?${text}`,
      headers: signedHeaders({ ...unsigned, nowMs: this.#doors.clock.now() }),
      body,
    };
  }
}
