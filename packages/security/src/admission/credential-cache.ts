import { hash } from 'node:crypto';
import type { ClusterState } from '@shoal/state';
import type { Random } from '@shoal/doors';
import type { Verified } from '../realms/realm.js';
import type { Subject } from '../subject.js';

/** Most entries; if it is full, the entry that was added first is evicted. */
const ENTRIES_MAX = 10_000;

interface Entry {
  readonly verified: Verified;
  readonly checkAgainAtMs: number;
  subject: Subject;
  /** Custom sections of the state, and the `generation` of the cache, from which `subject` was made. */
  customs: ClusterState['customs'];
  generation: number;
}

/**
 * Cache of credentials that were accepted. Its key is a keyed hash of the header, so that a copy of the memory reveals
 * no password.
 */
export interface CredentialCache {
  /** Key of credentials: hash of the header's text under a key of this process. */
  keyOf(header: string): string;
  /** The caller, if the credentials are cached and still right in `state`; null otherwise. */
  get(key: string, state: ClusterState, nowMs: number): Subject | null;
  /**
   * Adds credentials whose check began in `epoch`. If `forget` was called since, they are not added: a password is
   * checked, then changed, and `forget` runs before the check ends; the old password would stay valid.
   */
  put(key: string, verified: Verified, subject: Subject, state: ClusterState, nowMs: number, epoch: number): void;
  /** Number of calls of `forget`. */
  readonly epoch: number;
  /** Removes entries that have one of the tags; all entries if `tags` is null. Returns how many were removed. */
  forget(tags: ReadonlySet<string> | null): number;
  /**
   * Makes `get` create each subject again. Called when users have changed outside of the cluster state (file realm).
   */
  refresh(): void;
  readonly size: number;
}

/** Dependencies and lifetime (`ttlMs`) of a credential cache. */
export interface CredentialCacheOptions {
  readonly random: Random;
  readonly ttlMs: number;
  /** Creates the subject of credentials for a new state; null if they are not right any more. */
  readonly subjectOf: (verified: Verified, state: ClusterState) => Subject | null;
}

/** Hash of a hash under two keys, as in NMAC (Bellare, Canetti, Krawczyk 1996): 2 us where `createHmac` takes 6. */
function keyedHash(random: Random): (text: string) => string {
  const [inner, outer] = [random.bytes(32), random.bytes(32)].map((bytes) => Buffer.from(bytes).toString('base64'));
  return (text) => hash('sha256', outer + hash('sha256', inner + text, 'base64'), 'base64');
}

/** Creates the credential cache of one node. */
export function createCredentialCache({ random, ttlMs, subjectOf }: CredentialCacheOptions): CredentialCache {
  const entries = new Map<string, Entry>();
  let generation = 0;
  let epoch = 0;
  const renewed = (key: string, entry: Entry, state: ClusterState): Subject | null => {
    const subject = subjectOf(entry.verified, state);
    if (subject === null) entries.delete(key);
    else Object.assign(entry, { subject, customs: state.customs, generation });
    return subject;
  };
  return {
    keyOf: keyedHash(random),
    get(key, state, nowMs) {
      const entry = entries.get(key);
      if (!entry) return null;
      if (nowMs >= entry.checkAgainAtMs) {
        entries.delete(key);
        return null;
      }
      return entry.customs === state.customs && entry.generation === generation
        ? entry.subject
        : renewed(key, entry, state);
    },
    put(key, verified, subject, state, nowMs, begunIn) {
      if (ttlMs <= 0 || begunIn !== epoch) return;
      if (entries.size >= ENTRIES_MAX) entries.delete(entries.keys().next().value!);
      const checkAgainAtMs = Math.min(nowMs + ttlMs, verified.expiresAtMs ?? Number.POSITIVE_INFINITY);
      entries.set(key, { verified, checkAgainAtMs, subject, customs: state.customs, generation });
    },
    get epoch() {
      return epoch;
    },
    forget(tags) {
      epoch++;
      const before = entries.size;
      if (tags === null) entries.clear();
      else
        for (const [key, { verified }] of entries) if (verified.tags.some((tag) => tags.has(tag))) entries.delete(key);
      return before - entries.size;
    },
    refresh: () => void generation++,
    get size() {
      return entries.size;
    },
  };
}
