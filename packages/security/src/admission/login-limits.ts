import type { Clock } from '@shoal/doors';
import { errors } from '@shoal/errors';

/** Failures of an address before its checks are delayed. */
const FREE_FAILURES = 5;
const FIRST_DELAY_MS = 100;
const DELAY_MS_MAX = 3_000;
/** An address without a failure for this long starts anew. */
const FORGIVEN_AFTER_MS = 60_000;
/** Delayed checks of one address at a time; more are refused with 429. */
const WAITING_MAX = 16;
/** Addresses with failures that are kept; the one whose last failure is oldest is evicted. */
const ADDRESSES_MAX = 10_000;

interface Record {
  failures: number;
  lastMs: number;
  waiting: number;
}

/**
 * Limits the rate of password guesses: after five failures of an address, each check waits 100 ms to 3 s, doubling with
 * each failure. Cached credentials are not checked again and therefore never wait.
 */
export interface LoginLimits {
  /** Resolves when the next password of the address may be checked. Rejects with 429 if too many checks wait. */
  turn(address: string): Promise<void>;
  failed(address: string): void;
}

/** Creates the login limits of one node. */
export function createLoginLimits(clock: Clock): LoginLimits {
  const records = new Map<string, Record>();
  const recordOf = (address: string): Record | null => {
    const record = records.get(address);
    if (!record) return null;
    if (record.waiting > 0 || clock.now() - record.lastMs < FORGIVEN_AFTER_MS) return record;
    records.delete(address);
    return null;
  };
  return {
    async turn(address) {
      const record = recordOf(address);
      if (!record || record.failures < FREE_FAILURES) return;
      if (record.waiting >= WAITING_MAX)
        throw errors.rejectedExecution('too many failed logins from this address, try again later');
      record.waiting++;
      const delayMs = Math.min(DELAY_MS_MAX, FIRST_DELAY_MS * 2 ** Math.min(10, record.failures - FREE_FAILURES));
      await new Promise<void>((resolve) => clock.after(delayMs, resolve));
      record.waiting--;
    },
    failed(address) {
      const record = recordOf(address) ?? { failures: 0, lastMs: 0, waiting: 0 };
      record.failures++;
      record.lastMs = clock.now();
      records.delete(address);
      if (records.size >= ADDRESSES_MAX) records.delete(records.keys().next().value!);
      records.set(address, record);
    },
  };
}
