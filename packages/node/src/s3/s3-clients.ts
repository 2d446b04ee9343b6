import { parseTimeValue } from '@shoal/values';
import type { SecureSettings } from '../keystore/secure-settings.js';
import { ConfigurationError, type NodeSettings } from '../settings/load-settings.js';
import type { S3Keys } from './signature.js';

/** A proxy through which a store is reached. */
export interface S3Proxy {
  readonly scheme: 'http' | 'https';
  readonly host: string;
  readonly port: number;
  readonly username: string | null;
  readonly password: string | null;
}

/** How this node reaches stores: settings `s3.client.NAME.*`, with the keys of the keystore. Can be cloned. */
export interface S3Client {
  readonly keys: S3Keys | null;
  readonly endpoint: string | null;
  readonly protocol: string;
  readonly region: string | null;
  /** Whether the bucket is in the path; null: if the endpoint is an address, or the bucket is no name of a host. */
  readonly pathStyle: boolean | null;
  /** Longest silence of a connection, in milliseconds. */
  readonly readTimeoutMs: number;
  readonly maxConnections: number;
  readonly maxRetries: number;
  readonly throttleRetries: boolean;
  readonly proxy: S3Proxy | null;
}

/** Clients by name; there is always one named `default`. */
export type S3Clients = Readonly<Record<string, S3Client>>;

const PREFIX = 's3.client.';
const SETTINGS = [
  'endpoint',
  'protocol',
  'region',
  'path_style_access',
  'read_timeout',
  'max_connections',
  'max_retries',
  'use_throttle_retries',
  'disable_chunked_encoding',
  'proxy.host',
  'proxy.port',
  'proxy.scheme',
];

const split = (name: string): readonly [client: string, setting: string] => {
  const [client = '', ...rest] = name.slice(PREFIX.length).split('.');
  return [client, rest.join('.')];
};

function refuse(name: string, value: string, wanted: string): never {
  throw new ConfigurationError(`setting [${name}] must be ${wanted} but was [${value}]`);
}

/** Reads the settings of one client. */
class ClientReader {
  readonly #name: string;
  readonly #settings: ReadonlyMap<string, string>;
  readonly #secure: SecureSettings;

  constructor(name: string, settings: ReadonlyMap<string, string>, secure: SecureSettings) {
    this.#name = `${PREFIX}${name}.`;
    this.#settings = settings;
    this.#secure = secure;
  }

  text(name: string): string | null {
    return this.#settings.get(this.#name + name) ?? null;
  }

  secret(name: string): string | null {
    return this.#secure.get(this.#name + name);
  }

  flag(name: string): boolean | null {
    const value = this.text(name);
    if (value === null || value === 'true' || value === 'false') return value === null ? null : value === 'true';
    return refuse(this.#name + name, value, 'true or false');
  }

  count(name: string, min: number, fallback: number): number {
    const value = this.text(name);
    if (value === null) return fallback;
    if (/^\d{1,6}$/.test(value) && Number(value) >= min) return Number(value);
    return refuse(this.#name + name, value, `a whole number from ${min}`);
  }

  oneOf<T extends string>(name: string, values: readonly T[], fallback: T): T {
    const value = this.text(name);
    return values.find((one) => one === (value ?? fallback)) ?? refuse(this.#name + name, value!, values.join(' or '));
  }

  keys(): S3Keys | null {
    const [accessKey, secretKey] = [this.secret('access_key'), this.secret('secret_key')];
    const sessionToken = this.secret('session_token');
    if (accessKey !== null && secretKey !== null) return { accessKey, secretKey, sessionToken };
    const lacks = accessKey === null ? 'access_key' : 'secret_key';
    if (accessKey !== null || secretKey !== null || sessionToken !== null)
      throw new ConfigurationError(`the keystore has a part of the keys of [${this.#name}*], but no [${lacks}]`);
    return null;
  }

  proxy(): S3Proxy | null {
    const host = this.text('proxy.host');
    if (host === null) return null;
    return {
      host,
      port: this.count('proxy.port', 1, 80),
      scheme: this.oneOf('proxy.scheme', ['http', 'https'], 'http'),
      username: this.secret('proxy.username'),
      password: this.secret('proxy.password'),
    };
  }
}

function readClient(reader: ClientReader): S3Client {
  return {
    keys: reader.keys(),
    endpoint: reader.text('endpoint'),
    protocol: reader.oneOf('protocol', ['http', 'https'], 'https'),
    region: reader.text('region'),
    pathStyle: reader.flag('path_style_access'),
    readTimeoutMs: parseTimeValue(reader.text('read_timeout') ?? '50s', 'read_timeout'),
    maxConnections: reader.count('max_connections', 1, 50),
    maxRetries: reader.count('max_retries', 0, 3),
    throttleRetries: reader.flag('use_throttle_retries') ?? true,
    proxy: reader.proxy(),
  };
}

/** Reads all clients. Throws ConfigurationError for settings that do not exist, and for values that cannot be. */
export function readS3Clients(settings: NodeSettings, secure: SecureSettings): S3Clients {
  const own = settings.below(PREFIX);
  const odd = [...own.keys()].find((name) => !SETTINGS.includes(split(name)[1]));
  if (odd !== undefined)
    throw new ConfigurationError(`unknown setting [${odd}]: a client of S3 has ${SETTINGS.join(', ')}`);
  const named = [...own.keys(), ...secure.names.filter((name) => name.startsWith(PREFIX))].map(
    (name) => split(name)[0],
  );
  const names = [...new Set(['default', ...named])].sort();
  return Object.fromEntries(names.map((name) => [name, readClient(new ClientReader(name, own, secure))]));
}
