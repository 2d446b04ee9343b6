/** A cache that shares a budget: its entries carry the moments (`CacheBudget.use`) at which they were used last. */
export interface CacheMember {
  /** Moment of its least recently used entry; infinite for an empty cache. */
  oldestUse(): number;
  /** Forgets that entry and gives its bytes back. */
  dropOldest(): void;
}

/**
 * Bytes that the caches of all shards of a thread share: the least recently used entry of them all goes first, so that
 * many shards take no more than one.
 */
export class CacheBudget {
  readonly bytesMax: number;
  readonly #members = new Set<CacheMember>();
  #bytes = 0;
  #moment = 0;

  constructor(bytesMax: number) {
    this.bytesMax = bytesMax;
  }

  /** Bytes in use, all members together. */
  get bytes(): number {
    return this.#bytes;
  }

  join(member: CacheMember): void {
    this.#members.add(member);
  }

  /** The member has given its bytes back and asks for none any more. */
  leave(member: CacheMember): void {
    this.#members.delete(member);
  }

  /** The next moment of use. */
  use(): number {
    return ++this.#moment;
  }

  /**
   * Takes bytes for the entry used at `moment`; older ones go until all fit. That entry stays even if it alone is too
   * large.
   */
  take(bytes: number, moment: number): void {
    this.#bytes += bytes;
    while (this.#bytes > this.bytesMax) {
      const member = this.#memberOfOldest();
      if (member === null || member.oldestUse() >= moment) return;
      member.dropOldest();
    }
  }

  giveBack(bytes: number): void {
    this.#bytes -= bytes;
  }

  #memberOfOldest(): CacheMember | null {
    let oldest: CacheMember | null = null;
    for (const member of this.#members) if (oldest === null || member.oldestUse() < oldest.oldestUse()) oldest = member;
    return oldest;
  }
}

/** What the caches of a thread's shards share. */
export interface CacheBudgets {
  /** Values that searches keep (ordinal maps, filters). */
  readonly searchers: CacheBudget;
  /** Whole answers of searches without hits. */
  readonly requests: CacheBudget;
}

/** Part of the bytes that whole answers get. */
const REQUEST_CACHE_SHARE = 8;

/** Budgets of `bytesMax` bytes in all. */
export function createCacheBudgets(bytesMax: number): CacheBudgets {
  const requestBytes = Math.floor(bytesMax / REQUEST_CACHE_SHARE);
  return { searchers: new CacheBudget(bytesMax - requestBytes), requests: new CacheBudget(requestBytes) };
}
