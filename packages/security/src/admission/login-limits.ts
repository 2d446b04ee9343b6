import type { Clock } from '@shoal/doors';
import { errors } from '@shoal/errors';
import { type CheckSource, SUSPICIOUS } from '../passwords/check-queue.js';

/** Failures of an address before its checks are delayed. */
const FREE_FAILURES = 5;
const FIRST_DELAY_MS = 100;
const DELAY_MS_MAX = 3_000;
/** An address without a failure for this long starts anew. */
const FORGIVEN_AFTER_MS = 60_000;
/** Delayed checks of one address at a time; more are refused with 429. */
const WAITING_MAX = 16;
/** Addresses that are kept, with failures and with logins; the one that was used least recently is evicted. */
const ADDRESSES_MAX = 10_000;
/** How long an address counts as one of somebody who has logged in. */
const KNOWN_MS = 24 * 60 * 60_000;

interface Record {
  failures: number;
  lastMs: number;
  waiting: number;
}

/**
 * Limits the rate of password guesses: after five failures of an address, each check waits 100 ms to 3 s, doubling with
 * each failure. Cached credentials are not checked again and therefore never wait. The IPv6 addresses of one network
 * count as one address, see `sourceName`.
 */
export interface LoginLimits {
  /** Resolves when the next password of the address may be checked. Rejects with 429 if too many checks wait. */
  turn(address: string): Promise<void>;
  failed(address: string): void;
  succeeded(address: string): void;
  /** The source of the address's checks: less suspicious if it has logged in, more with each failure. */
  sourceOf(address: string): CheckSource;
}

/**
 * Name under which the checks of an address are counted: an IPv4 address, also one that is mapped into IPv6, or the
 * first 64 bits of an IPv6 address, because each customer of a provider has at least so many addresses.
 */
export function sourceName(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped !== undefined) return mapped;
  const plain = address.split('%', 1)[0]!;
  if (!/^[\da-f.]*:[\da-f:.]*$/i.test(plain)) return address;
  const [head = '', tail] = plain.toLowerCase().split('::');
  const before = head === '' ? [] : head.split(':');
  const after = tail === undefined || tail === '' ? [] : tail.split(':');
  // An IPv4 address at the end stands for two groups.
  const groupsAfter = after.length + (after.at(-1)?.includes('.') ? 1 : 0);
  const zeros = tail === undefined ? 0 : 8 - before.length - groupsAfter;
  const groups = [...before, ...Array<string>(zeros).fill('0'), ...after];
  return `${groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')}::/64`;
}

/** Adds an entry as the newest of a bounded map. */
function keep<Value>(map: Map<string, Value>, name: string, value: Value): void {
  map.delete(name);
  if (map.size >= ADDRESSES_MAX) map.delete(map.keys().next().value!);
  map.set(name, value);
}

/** Creates the login limits of one node. */
export function createLoginLimits(clock: Clock): LoginLimits {
  const records = new Map<string, Record>();
  /** Times of the last logins. */
  const known = new Map<string, number>();
  const recordOf = (name: string): Record | null => {
    const record = records.get(name);
    if (!record) return null;
    if (record.waiting > 0 || clock.now() - record.lastMs < FORGIVEN_AFTER_MS) return record;
    records.delete(name);
    return null;
  };
  return {
    async turn(address) {
      const record = recordOf(sourceName(address));
      if (!record || record.failures < FREE_FAILURES) return;
      if (record.waiting >= WAITING_MAX)
        throw errors.rejectedExecution('too many failed logins from this address, try again later');
      record.waiting++;
      const delayMs = Math.min(DELAY_MS_MAX, FIRST_DELAY_MS * 2 ** Math.min(10, record.failures - FREE_FAILURES));
      await new Promise<void>((resolve) => clock.after(delayMs, resolve));
      record.waiting--;
    },
    failed(address) {
      const name = sourceName(address);
      const record = recordOf(name) ?? { failures: 0, lastMs: 0, waiting: 0 };
      record.failures++;
      record.lastMs = clock.now();
      keep(records, name, record);
    },
    succeeded: (address) => keep(known, sourceName(address), clock.now()),
    sourceOf(address) {
      const name = sourceName(address);
      const failures = recordOf(name)?.failures ?? 0;
      if (failures > 0) return { name, suspicion: SUSPICIOUS + failures - 1 };
      return { name, suspicion: clock.now() - (known.get(name) ?? Number.NEGATIVE_INFINITY) < KNOWN_MS ? 0 : 1 };
    },
  };
}
