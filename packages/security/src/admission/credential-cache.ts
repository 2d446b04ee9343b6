import { hash } from 'node:crypto';
import type { ClusterState } from '@shoal/state';
import type { Random } from '@shoal/doors';
import type { Verified } from '../realms/realm.js';
import type { Subject } from '../subject.js';

/** Known credentials beyond this many: the longest known is forgotten. */
const ENTRIES_MAX = 10_000;

interface Entry {
  readonly verified: Verified;
  readonly checkAgainAtMs: number;
  subject: Subject;
  /** Sections of the state, and the count of changes elsewhere, that `subject` was made from. */
  customs: ClusterState['customs'];
  generation: number;
}

/**
 * Credentials that were right lately. What is kept of a header is a keyed hash, so that a copy of the memory shows no
 * password.
 */
export interface CredentialCache {
  /** Key of credentials: hash of the header's text under a key of this process. */
  keyOf(header: string): string;
  /** The caller, if the credentials are known and still right. */
  get(key: string, state: ClusterState, nowMs: number): Subject | null;
  /**
   * Keeps credentials that began to be checked at an `epoch`; not if something was forgotten since, which may have been
   * these.
   */
  put(key: string, verified: Verified, subject: Subject, state: ClusterState, nowMs: number, epoch: number): void;
  /** How often something was forgotten. */
  readonly epoch: number;
  /** Forgets what has one of the tags; everything when `tags` is null. Returns how many. */
  forget(tags: ReadonlySet<string> | null): number;
  /** Something besides the cluster state has changed: subjects are made anew. */
  refresh(): void;
  readonly size: number;
}

export interface CredentialCacheOptions {
  readonly random: Random;
  readonly ttlMs: number;
  /** Makes the subject of credentials for a new state; null when they are not right any more. */
  readonly subjectOf: (verified: Verified, state: ClusterState) => Subject | null;
}

/** A hash of a hash under two keys, as in NMAC (Bellare, Canetti, Krawczyk 1996): 2 us where `createHmac` takes 6. */
function keyedHash(random: Random): (text: string) => string {
  const [inner, outer] = [random.bytes(32), random.bytes(32)].map((bytes) => Buffer.from(bytes).toString('base64'));
  return (text) => hash('sha256', outer + hash('sha256', inner + text, 'base64'), 'base64');
}

/** The cache of one node. */
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
