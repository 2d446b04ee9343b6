import { createHash } from 'node:crypto';
import type { Clock, Random } from '@shoal/doors';
import type { DashboardSettings } from '../settings/load-settings.js';
import { newCookie, readCookie, seal, unseal } from './seal.js';

/** Pause between sweeps of ended sessions. */
const SWEEP_MS = 60_000;

/** A session that a request belongs to. */
export interface Session {
  readonly id: string;
  readonly username: string;
  /** Header `authorization` of calls to the cluster. */
  readonly authorization: string;
}

interface SessionRecord {
  readonly username: string;
  readonly sealed: Buffer;
  readonly createdAtMs: number;
  usedAtMs: number;
}

/** Sessions of users: in memory, each sealed with its own cookie. */
export interface SessionStore {
  /** Makes a session and returns the value of its cookie; null if there are too many. */
  create(username: string, authorization: string): string | null;
  /** The session of a cookie; null for none, or one that has ended. `isUse` prolongs it. */
  find(cookie: string | undefined, isUse: boolean): Session | null;
  end(id: string): void;
  readonly size: number;
  close(): void;
}

/** Opens the store. Without a key in the settings a random one is made: a restart ends all sessions. */
export function openSessions(
  settings: DashboardSettings['sessions'],
  { clock, random }: { readonly clock: Clock; readonly random: Random },
): SessionStore {
  const serverKey =
    settings.encryptionKey === null
      ? random.bytes(32)
      : createHash('sha256').update(settings.encryptionKey, 'utf8').digest();
  const records = new Map<string, SessionRecord>();
  const isOver = ({ createdAtMs, usedAtMs }: SessionRecord): boolean =>
    clock.now() - usedAtMs >= settings.idleMs || clock.now() - createdAtMs >= settings.lifespanMs;
  const sweep = (): void => {
    for (const [id, record] of records) if (isOver(record)) records.delete(id);
  };
  let timer = clock.after(SWEEP_MS, function again() {
    sweep();
    timer = clock.after(SWEEP_MS, again);
  });
  const limitOfUser = (username: string): void => {
    if (settings.ofUserMax === null) return;
    // A map keeps the order of creation: the oldest are first.
    const own = [...records].filter(([, record]) => record.username === username);
    for (const [id] of own.slice(0, Math.max(0, own.length - settings.ofUserMax + 1))) records.delete(id);
  };
  return {
    create(username, authorization) {
      limitOfUser(username);
      if (records.size >= settings.max) sweep();
      if (records.size >= settings.max) return null;
      const text = newCookie(random);
      const cookie = readCookie(text)!;
      const now = clock.now();
      const sealed = seal(authorization, serverKey, cookie, random);
      records.set(cookie.recordId, { username, sealed, createdAtMs: now, usedAtMs: now });
      return text;
    },
    find(text, isUse) {
      const cookie = readCookie(text);
      const record = cookie === null ? undefined : records.get(cookie.recordId);
      if (cookie === null || record === undefined) return null;
      if (isOver(record)) {
        records.delete(cookie.recordId);
        return null;
      }
      const authorization = unseal(record.sealed, serverKey, cookie);
      if (authorization === null) return null;
      if (isUse) record.usedAtMs = clock.now();
      return { id: cookie.recordId, username: record.username, authorization };
    },
    end: (id) => void records.delete(id),
    get size() {
      return records.size;
    },
    close: () => timer.cancel(),
  };
}
