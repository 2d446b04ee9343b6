import type { S3Clients } from './s3-clients.js';
import { ConfigurationError } from '../settings/load-settings.js';

/** Returns how stores are reached now. */
export type CurrentClients = () => S3Clients;

/** How stores are reached, in memory that all threads of the node share. */
export interface SharedClients {
  /** For other threads; see `sharedClients`. */
  readonly memory: SharedArrayBuffer;
  /** Lets all threads use these from now on. Throws ConfigurationError if they are too long. */
  replace(clients: S3Clients): void;
}

/** Longest text of all clients, in bytes. */
const TEXT_BYTES_MAX = 256 * 1024;
/** Two whole numbers: a version, which is odd while the text changes, and the length of the text. */
const [VERSION, LENGTH, HEADER_BYTES] = [0, 1, 8];

/** Shares clients between threads. */
export function shareClients(clients: S3Clients): SharedClients {
  const memory = new SharedArrayBuffer(HEADER_BYTES + TEXT_BYTES_MAX);
  const header = new Int32Array(memory, 0, 2);
  const replace = (next: S3Clients): void => {
    const text = Buffer.from(JSON.stringify(next));
    if (text.length > TEXT_BYTES_MAX)
      throw new ConfigurationError(`clients of S3 have ${text.length} bytes of settings, above ${TEXT_BYTES_MAX}`);
    Atomics.add(header, VERSION, 1);
    new Uint8Array(memory, HEADER_BYTES).set(text);
    Atomics.store(header, LENGTH, text.length);
    Atomics.add(header, VERSION, 1);
  };
  replace(clients);
  return { memory, replace };
}

/** Reads shared clients on any thread; what is returned is the same until they are replaced. */
export function sharedClients(memory: SharedArrayBuffer): CurrentClients {
  const header = new Int32Array(memory, 0, 2);
  let [known, current]: [number, S3Clients] = [0, {}];
  return () => {
    for (let version = Atomics.load(header, VERSION); version !== known; version = Atomics.load(header, VERSION)) {
      if (version % 2 !== 0) continue;
      const length = Atomics.load(header, LENGTH);
      const text = Buffer.from(new Uint8Array(memory, HEADER_BYTES, length)).toString();
      if (Atomics.load(header, VERSION) !== version) continue;
      [known, current] = [version, JSON.parse(text) as S3Clients];
    }
    return current;
  };
}
