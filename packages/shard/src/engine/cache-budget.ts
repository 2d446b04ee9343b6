import { VectorRowCache } from '@shoal/segments';

/** A cache that shares a budget. Its entries carry the moment (`CacheBudget.use`) of their last use. */
export interface CacheMember {
  /** Returns the moment of the least recently used entry; Infinity for an empty cache. */
  oldestUse(): number;
  /** Evicts the least recently used entry and returns its bytes to the budget. */
  dropOldest(): void;
}

/**
 * Budget of bytes that the caches of all shards of a thread share. The least recently used entry of all caches is
 * evicted first, so that many shards use no more memory than one.
 */
export class CacheBudget {
  readonly bytesMax: number;
  readonly #members = new Set<CacheMember>();
  #bytes = 0;
  #moment = 0;

  constructor(bytesMax: number) {
    this.bytesMax = bytesMax;
  }

  /** Bytes in use by all members. */
  get bytes(): number {
    return this.#bytes;
  }

  join(member: CacheMember): void {
    this.#members.add(member);
  }

  /** Removes a member, which must have returned all its bytes. */
  leave(member: CacheMember): void {
    this.#members.delete(member);
  }

  /** Returns the next moment of use: a counter. */
  use(): number {
    return ++this.#moment;
  }

  /**
   * Charges bytes for the entry used at `moment` and evicts older entries until all fit. The entry itself stays, even
   * if it alone exceeds the budget.
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

/** Budgets that the caches of a thread's shards share. */
export interface CacheBudgets {
  /** For values that searches cache (ordinal maps, filters). */
  readonly searchers: CacheBudget;
  /** For results of searches without hits (request cache). */
  readonly requests: CacheBudget;
  /** Rows of vectors, by which walks through graphs came. */
  readonly vectorRows: VectorRowCache;
}

/** The request cache gets 1 / REQUEST_CACHE_SHARE of the bytes. */
const REQUEST_CACHE_SHARE = 8;

/** Returns budgets of `bytesMax` bytes in total, and of `vectorBytesMax` for rows of vectors besides. */
export function createCacheBudgets(bytesMax: number, vectorBytesMax: number): CacheBudgets {
  const requestBytes = Math.floor(bytesMax / REQUEST_CACHE_SHARE);
  return {
    searchers: new CacheBudget(bytesMax - requestBytes),
    requests: new CacheBudget(requestBytes),
    vectorRows: new VectorRowCache(vectorBytesMax),
  };
}
