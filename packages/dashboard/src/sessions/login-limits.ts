import type { Clock } from '@shoal/doors';

/** Failures of a name at an address that cost nothing. */
const FREE_FAILURES = 5;
const PAUSE_MS_MIN = 1_000;
const PAUSE_MS_MAX = 300_000;
/** Failures from one address within `WINDOW_MS`, whatever the names. */
const ADDRESS_FAILURES_MAX = 60;
const WINDOW_MS = 300_000;
/** Checks of passwords at once. */
const CHECKS_MAX = 4;
/** Names and addresses that are remembered; beyond them the oldest are forgotten. */
const REMEMBERED_MAX = 10_000;

interface Failures {
  count: number;
  untilMs: number;
  lastMs: number;
}

/** The brake on guessing passwords. Attempts that it refuses never reach the cluster. */
export interface LoginLimits {
  /** Seconds to wait before the next attempt; 0 if it may be made, which then must be ended with `end`. */
  begin(address: string, name: string): number;
  end(address: string, name: string, isRight: boolean): void;
}

/** Creates the brake: a name at an address, and an address, each slow down after failures. */
export function createLoginLimits(clock: Clock): LoginLimits {
  const pairs = new Map<string, Failures>();
  const addresses = new Map<string, Failures>();
  let checks = 0;
  const pairOf = (address: string, name: string): string => `${address}\n${name}`;
  const waitOf = (failures: Failures | undefined): number =>
    Math.max(0, Math.ceil(((failures?.untilMs ?? 0) - clock.now()) / 1000));
  return {
    begin(address, name) {
      const wait = Math.max(waitOf(pairs.get(pairOf(address, name))), waitOf(addresses.get(address)));
      if (wait > 0) return wait;
      if (checks >= CHECKS_MAX) return 1;
      checks++;
      return 0;
    },
    end(address, name, isRight) {
      checks--;
      if (isRight) return void pairs.delete(pairOf(address, name));
      const now = clock.now();
      const pair = noted(pairs, pairOf(address, name), now);
      if (pair.count >= FREE_FAILURES)
        pair.untilMs = now + Math.min(PAUSE_MS_MAX, PAUSE_MS_MIN * 2 ** Math.min(20, pair.count - FREE_FAILURES));
      const all = noted(addresses, address, now);
      if (all.count >= ADDRESS_FAILURES_MAX) all.untilMs = now + WINDOW_MS;
    },
  };
}

/** Counts a failure; failures that are older than the window are forgotten with the first one after it. */
function noted(table: Map<string, Failures>, key: string, nowMs: number): Failures {
  const known = table.get(key);
  const isFresh = known !== undefined && nowMs - known.lastMs < WINDOW_MS + PAUSE_MS_MAX;
  const failures = isFresh ? known : { count: 0, untilMs: 0, lastMs: nowMs };
  failures.count++;
  failures.lastMs = nowMs;
  table.delete(key);
  table.set(key, failures);
  if (table.size > REMEMBERED_MAX) table.delete(table.keys().next().value!);
  return failures;
}
