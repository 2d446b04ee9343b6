import { errors } from '@shoal/errors';
import { isPlainObject, type JsonObject } from '@shoal/json';
import { matchesWildcard, parseTimeValue } from '@shoal/values';

/** Another cluster that documents are copied from. */
export interface RemoteSource {
  readonly scheme: 'http' | 'https';
  readonly host: string;
  readonly port: number;
  /** What stands before all paths, without a slash at its end. */
  readonly pathPrefix: string;
  readonly username: string | null;
  readonly password: string | null;
  readonly headers: Readonly<Record<string, string>>;
  readonly connectTimeoutMs: number;
  /** Longest silence of the other side, in milliseconds. */
  readonly socketTimeoutMs: number;
}

const KEYS = ['host', 'username', 'password', 'headers', 'socket_timeout', 'connect_timeout'];
const TIMEOUT_MS = 30_000;
const HOST = /^(https?):\/\/(\[[^\]]+\]|[^/:]+):(\d+)(\/.*)?$/;

function timeoutAt(remote: JsonObject, key: string): number {
  const value = remote[key];
  if (value === undefined) return TIMEOUT_MS;
  if (!/^\d+(?:nanos|micros|ms|s|m|h|d)$/.test(String(value)))
    throw errors.illegalArgument(`failed to parse setting [${key}] with value [${String(value)}] as a time value`, {
      cause: errors.numberFormat(`For input string: "${String(value)}"`),
    });
  return parseTimeValue(String(value), key);
}

function textAt(remote: JsonObject, key: string): string | null {
  const value = remote[key];
  if (value === undefined || value === null) return null;
  if (typeof value === 'string') return value;
  throw errors.illegalArgument(`Expected [${key}] to be a string but was [${String(value)}]`);
}

function headersOf(remote: JsonObject): Readonly<Record<string, string>> {
  const given = remote['headers'] ?? {};
  if (!isPlainObject(given) || Object.values(given).some((value) => typeof value !== 'string'))
    throw errors.illegalArgument('Expected [headers] to be a map of strings to strings');
  return given as Record<string, string>;
}

/**
 * Reads `source.remote` of `_reindex`; null without one. `allowed` are patterns `host:port`
 * (`reindex.remote.whitelist`). Throws illegal_argument_exception.
 */
export function parseRemote(remote: unknown, allowed: readonly string[]): RemoteSource | null {
  if (remote === undefined) return null;
  const given: JsonObject = isPlainObject(remote) ? remote : {};
  const text = String(given['host'] ?? '');
  const match = HOST.exec(text);
  const [socketTimeoutMs, connectTimeoutMs] = [timeoutAt(given, 'socket_timeout'), timeoutAt(given, 'connect_timeout')];
  if (match === null)
    throw errors.illegalArgument(
      `[host] must be of the form [scheme]://[host]:[port](/[pathPrefix])? but was [${text}]`,
    );
  const unknown = Object.keys(given).filter((key) => !KEYS.includes(key));
  if (unknown.length > 0) throw errors.illegalArgument(`Unsupported fields in [remote]. [${unknown.join(',')}]`);
  const [scheme, host, port, prefix] = [match[1] as 'http' | 'https', match[2]!, Number(match[3]), match[4] ?? ''];
  if (!allowed.some((pattern) => matchesWildcard(pattern, `${host}:${port}`)))
    throw errors.illegalArgument(`[${host}:${port}] not whitelisted in reindex.remote.whitelist`);
  return {
    scheme,
    host: host.replace(/^\[|\]$/g, ''),
    port,
    pathPrefix: prefix.replace(/\/+$/, ''),
    username: textAt(given, 'username'),
    password: textAt(given, 'password'),
    headers: headersOf(given),
    connectTimeoutMs,
    socketTimeoutMs,
  };
}
