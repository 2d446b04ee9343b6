import type { IncomingMessage } from 'node:http';
import https, { type RequestOptions } from 'node:https';
import path from 'node:path';
import type { ConfiguredRealm, OpenKeySet } from '@shoal/security';
import { parseTimeValue } from '@shoal/values';
import { ConfigurationError } from '../settings/load-settings.js';
import { checkStoreType } from '../tls/store-type.js';
import { authoritiesOfStore, pemCertificates, reasonOf } from '../tls/key-material.js';
import { ciphersOf, protocolsOf } from '../tls/ssl-settings.js';

/** Limit of a key set in bytes; real ones have some thousand. */
const KEY_SET_BYTES_MAX = 1 << 20;

const SECONDS = 1_000;

interface FetchOptions {
  readonly url: URL;
  readonly tls: () => RequestOptions;
  /** Limit for connecting, in milliseconds. */
  readonly connectMs: number;
  /** Limit between two received bytes, in milliseconds. */
  readonly idleMs: number;
  /** Limit for the whole request, in milliseconds. */
  readonly totalMs: number;
}

const listOf = (text: string | undefined): readonly string[] =>
  (text ?? '')
    .replace(/^\[|\]$/g, '')
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');

/**
 * Reads the authorities of `ssl.certificate_authorities` or `ssl.truststore.path`. Returns undefined for those of the
 * crypto library. Throws ConfigurationError.
 */
function authoritiesOf({ values }: ConfiguredRealm, prefix: string, confFolder: string): string[] | undefined {
  const load = (file: string, read: (absolute: string) => string[]): string[] => {
    try {
      return read(path.resolve(confFolder, file));
    } catch (error) {
      throw new ConfigurationError(
        `failed to load SSL configuration [${prefix.slice(0, -1)}] - cannot read [${file}]: ${reasonOf(error)}`,
      );
    }
  };
  const files = listOf(values.get('ssl.certificate_authorities'));
  const store = values.get('ssl.truststore.path');
  if (store !== undefined && files.length > 0)
    throw new ConfigurationError(
      `cannot specify both [${prefix}truststore.path] and [${prefix}certificate_authorities]`,
    );
  if (store === undefined) return files.length === 0 ? undefined : files.flatMap((file) => load(file, pemCertificates));
  checkStoreType(`${prefix}truststore`, values.get('ssl.truststore.type') ?? null, store);
  const password = values.get('ssl.truststore.secure_password') ?? values.get('ssl.truststore.password') ?? '';
  return load(store, (absolute) => authoritiesOfStore({ path: absolute, password }));
}

/** Returns request options for the checks of the server's certificate in a verification mode. */
function verificationOf(mode: string, prefix: string): RequestOptions {
  if (mode === 'full') return {};
  if (mode === 'certificate') return { checkServerIdentity: () => undefined };
  if (mode === 'none') return { rejectUnauthorized: false };
  throw new ConfigurationError(
    `setting [${prefix}verification_mode] must be full, certificate or none but was [${mode}]`,
  );
}

function fetchOptions(realm: ConfiguredRealm, url: URL, confFolder: string): FetchOptions {
  const { name, values } = realm;
  const prefix = `xpack.security.authc.realms.jwt.${name}.`;
  const time = (key: string): number => parseTimeValue(values.get(key) ?? '5s', `${prefix}${key}`);
  const verification = verificationOf(values.get('ssl.verification_mode') ?? 'full', `${prefix}ssl.`);
  const ciphers = ciphersOf(`${prefix}ssl.cipher_suites`, listOf(values.get('ssl.cipher_suites')));
  const versions = protocolsOf(
    `${prefix}ssl.supported_protocols`,
    listOf(values.get('ssl.supported_protocols') ?? 'TLSv1.3,TLSv1.2'),
  );
  const [connectMs, readMs, idleMs] = [
    time('http.connect_timeout'),
    time('http.connection_read_timeout'),
    time('http.socket_timeout'),
  ];
  const tls = (): RequestOptions => {
    const ca = authoritiesOf(realm, `${prefix}ssl.`, confFolder);
    return {
      ...verification,
      ...versions,
      ...(ciphers === null ? {} : { ciphers }),
      ...(ca === undefined ? {} : { ca }),
    };
  };
  tls();
  return { url, tls, connectMs, idleMs, totalMs: connectMs + readMs + idleMs };
}

/** Reads the text of an answer. Rejects if its status is not 200 or it is longer than `KEY_SET_BYTES_MAX`. */
async function textOf(response: IncomingMessage): Promise<string> {
  if (response.statusCode !== 200)
    throw new Error(`the answer has the status [${response.statusCode}]; redirects are not followed`);
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > KEY_SET_BYTES_MAX) throw new Error(`the answer is longer than ${KEY_SET_BYTES_MAX} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** Fetches a text over a new connection: fetches are too rare to keep one open. */
function fetchText({ url, tls, connectMs, idleMs, totalMs }: FetchOptions): Promise<string> {
  return new Promise<string>((resolve, reject) => {
    const request = https.get(url, { ...tls(), agent: false, headers: { accept: 'application/json' } });
    const giveUp = (what: string, ms: number): void =>
      void request.destroy(new Error(`${what} within ${ms / SECONDS} s`));
    const total = setTimeout(() => giveUp('no whole answer', totalMs), totalMs);
    const connect = setTimeout(() => giveUp('no connection', connectMs), connectMs);
    const end = (): void => {
      clearTimeout(total);
      clearTimeout(connect);
    };
    request.on('socket', (socket) => socket.once('secureConnect', () => clearTimeout(connect)));
    request.setTimeout(idleMs, () => giveUp('no byte', idleMs));
    request.on('error', (error) => {
      end();
      reject(error);
    });
    request.on('response', (response) => {
      textOf(response)
        .then(resolve, (error: Error) => {
          request.destroy();
          reject(error);
        })
        .finally(end);
    });
  });
}

/**
 * Fetches key sets of realms over HTTPS with their `ssl.*` settings, files relative to `confFolder`. Limits are
 * `http.connect_timeout`, `http.connection_read_timeout` and `http.socket_timeout` (5s each). Files are read at each
 * fetch, so that a new authority needs no restart.
 */
export function openKeySet(confFolder: string): OpenKeySet {
  return (realm, url) => {
    const options = fetchOptions(realm, url, confFolder);
    return () => fetchText(options);
  };
}
