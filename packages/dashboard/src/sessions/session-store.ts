import { createHash } from 'node:crypto';
import type { Clock, Log, Random } from '@shoal/doors';
import type { DashboardSettings } from '../settings/load-settings.js';
import { newCookie, readCookie, seal, unseal } from './seal.js';
import type { SessionRecord, SessionRecords } from './session-records.js';

/** Pause between sweeps of ended sessions, and looks at what other dashboards did. */
const SWEEP_MS = 60_000;
/** How long a cookie without a record is not asked for again, and how many of them are remembered. */
const STRANGER_MS = 10_000;
const STRANGERS_MAX = 10_000;

/** A session that a request belongs to. */
export interface Session {
  readonly id: string;
  readonly username: string;
  /** Header `authorization` of calls to the cluster. */
  readonly authorization: string;
}

/** A record with what the store knows of it. */
interface KnownRecord extends SessionRecord {
  /** Whether it is kept in the cluster. */
  isShared: boolean;
}

/** Sessions of users, each sealed with its own cookie: in memory, and with a key of the settings in the cluster. */
export interface SessionStore {
  /** Makes a session and returns the value of its cookie; null if there are too many. */
  create(username: string, authorization: string): Promise<string | null>;
  /** Reads a session that was made elsewhere, or before a restart; null if there is nothing to read. */
  prepare(cookie: string | undefined): Promise<void> | null;
  /** The session of a cookie; null for none, or one that has ended. `isUse` prolongs it. */
  find(cookie: string | undefined, isUse: boolean): Session | null;
  end(id: string): Promise<void>;
  readonly size: number;
  close(): void;
}

/** What the store works with. */
interface SessionDoors {
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  /** Records in the cluster; null keeps all in memory. */
  readonly records: SessionRecords | null;
}

/** Opens the store. Without a key in the settings a random one is made: a restart ends all sessions. */
export function openSessions(settings: DashboardSettings['sessions'], doors: SessionDoors): SessionStore {
  return new Sessions(settings, doors);
}

class Sessions implements SessionStore {
  readonly #settings: DashboardSettings['sessions'];
  readonly #doors: SessionDoors;
  readonly #serverKey: Uint8Array;
  readonly #known = new Map<string, KnownRecord>();
  /** Cookies that no record has, with the time until which this is believed. */
  readonly #strangers = new Map<string, number>();
  #timer: { cancel(): void };

  constructor(settings: DashboardSettings['sessions'], doors: SessionDoors) {
    this.#settings = settings;
    this.#doors = doors;
    this.#serverKey =
      settings.encryptionKey === null
        ? doors.random.bytes(32)
        : createHash('sha256').update(settings.encryptionKey, 'utf8').digest();
    this.#timer = this.#later();
  }

  get size(): number {
    return this.#known.size;
  }

  close(): void {
    this.#timer.cancel();
  }

  async create(username: string, authorization: string): Promise<string | null> {
    await this.#endOldest(username);
    if (this.#known.size >= this.#settings.max) this.#sweep();
    if (this.#known.size >= this.#settings.max) return null;
    const text = newCookie(this.#doors.random);
    const cookie = readCookie(text)!;
    const now = this.#doors.clock.now();
    const sealed = seal(authorization, this.#serverKey, cookie, this.#doors.random);
    const record = { username, sealed, createdAtMs: now, usedAtMs: now, isShared: false };
    this.#known.set(cookie.recordId, record);
    await this.#shared('written', async (records) => {
      await records.write(cookie.recordId, record);
      record.isShared = true;
    });
    return text;
  }

  prepare(text: string | undefined): Promise<void> | null {
    const cookie = this.#doors.records === null ? null : readCookie(text);
    if (cookie === null) return null;
    const { recordId: id } = cookie;
    const known = this.#known.get(id);
    const isKnown = known !== undefined && (!known.isShared || !this.#isOver(known));
    if (isKnown || (this.#strangers.get(id) ?? 0) > this.#doors.clock.now()) return null;
    return this.#shared('read', async (records) => {
      const record = await records.read(id);
      if (record === null) this.#noteStranger(id);
      else this.#known.set(id, { ...record, isShared: true });
    });
  }

  find(text: string | undefined, isUse: boolean): Session | null {
    const cookie = readCookie(text);
    const record = cookie === null ? undefined : this.#known.get(cookie.recordId);
    if (cookie === null || record === undefined) return null;
    if (this.#isOver(record)) {
      this.#known.delete(cookie.recordId);
      return null;
    }
    const authorization = unseal(record.sealed, this.#serverKey, cookie);
    if (authorization === null) return null;
    if (isUse) record.usedAtMs = this.#doors.clock.now();
    return { id: cookie.recordId, username: record.username, authorization };
  }

  async end(id: string): Promise<void> {
    this.#known.delete(id);
    await this.#shared('ended', (records) => records.remove([id]));
  }

  /** Makes a call to the records; one that fails is logged: the session then is that of this dashboard alone. */
  async #shared(what: string, call: (records: SessionRecords) => Promise<void>): Promise<void> {
    const { records, log } = this.#doors;
    if (records === null) return;
    try {
      await call(records);
    } catch (error) {
      log.write('warn', `sessions could not be ${what} in the cluster`, { reason: (error as Error).message });
    }
  }

  #isOver({ createdAtMs, usedAtMs }: SessionRecord): boolean {
    const now = this.#doors.clock.now();
    return now - usedAtMs >= this.#settings.idleMs || now - createdAtMs >= this.#settings.lifespanMs;
  }

  #sweep(): void {
    for (const [id, record] of this.#known) if (this.#isOver(record)) this.#known.delete(id);
  }

  #noteStranger(id: string): void {
    this.#strangers.set(id, this.#doors.clock.now() + STRANGER_MS);
    if (this.#strangers.size > STRANGERS_MAX) this.#strangers.delete(this.#strangers.keys().next().value!);
  }

  /** Ends the oldest sessions of a user so that one more is allowed. */
  async #endOldest(username: string): Promise<void> {
    const { ofUserMax } = this.#settings;
    if (ofUserMax === null) return;
    // A map keeps the order of creation: the oldest are first.
    const own = [...this.#known].filter(([, record]) => record.username === username).map(([id]) => id);
    const ended = own.slice(0, Math.max(0, own.length - ofUserMax + 1));
    for (const id of ended) this.#known.delete(id);
    await this.#shared('counted', async (records) => {
      const all = (await records.ofUser(username)).filter((id) => !ended.includes(id));
      const tooMany = all.slice(0, Math.max(0, all.length - ofUserMax + 1));
      for (const id of tooMany) this.#known.delete(id);
      await records.remove([...ended, ...tooMany]);
    });
  }

  #later(): { cancel(): void } {
    return this.#doors.clock.after(SWEEP_MS, () => {
      this.#sweep();
      this.#timer = this.#later();
      void this.#compare();
    });
  }

  /** Tells the cluster which sessions were used, and learns which were ended, or used, elsewhere. */
  async #compare(): Promise<void> {
    const uses = new Map([...this.#known].flatMap(([id, one]) => (one.isShared ? [[id, one.usedAtMs] as const] : [])));
    await this.#shared('compared', async (records) => {
      if (uses.size > 0) {
        const kept = await records.noteUse(uses);
        for (const [id, usedAtMs] of uses) {
          const record = this.#known.get(id);
          if (!kept.has(id)) this.#known.delete(id);
          else if (record !== undefined) record.usedAtMs = Math.max(record.usedAtMs, kept.get(id) ?? usedAtMs);
        }
      }
      const now = this.#doors.clock.now();
      await records.sweep(now - this.#settings.lifespanMs, now - this.#settings.idleMs - SWEEP_MS);
    });
  }
}
