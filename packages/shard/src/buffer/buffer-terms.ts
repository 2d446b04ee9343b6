import { compareTerms } from '@shoal/codec';
import type { PostingsCursor, TermsCursor, TermsLayout, TermsReader } from '@shoal/segments';
import { bufferPostings, visibleDocFreq, visibleTotalFreq } from './buffer-postings.js';
import { findTerm, sortedTerms, type TermStore } from './term-store.js';

/**
 * The terms of one field that a snapshot sees: those that arrived before the snapshot, with postings of documents below
 * its limit.
 */
export interface VisibleTerms {
  readonly store: TermStore;
  readonly limit: number;
  readonly termCount: number;
  readonly docCount: number;
  readonly sumDocFreq: number;
  readonly sumTotalFreq: number;
  /** Term numbers in term order; null until first used. */
  order: Int32Array | null;
  ranks: Int32Array | null;
}

/** Returns the numbers of the visible terms, in term order. */
export function visibleOrder(view: VisibleTerms): Int32Array {
  if (view.order === null) {
    const all = sortedTerms(view.store);
    view.order = all.length === view.termCount ? all : all.filter((id) => id < view.termCount);
  }
  return view.order;
}

/** Returns the rank in term order of each visible term, by term number. */
export function visibleRanks(view: VisibleTerms): Int32Array {
  if (view.ranks === null) {
    const order = visibleOrder(view);
    view.ranks = new Int32Array(order.length);
    for (let rank = 0; rank < order.length; rank++) view.ranks[order[rank]!] = rank;
  }
  return view.ranks;
}

/** Returns the number of a visible term, or -1. */
export function findVisible(view: VisibleTerms, term: string): number {
  const id = findTerm(view.store, term);
  return id < view.termCount ? id : -1;
}

class BufferTermsCursor implements TermsCursor {
  readonly #terms: readonly string[];
  readonly #order: Int32Array;
  #at = -1;

  constructor(view: VisibleTerms) {
    this.#terms = view.store.terms;
    this.#order = visibleOrder(view);
  }

  seek(term: string): boolean {
    let low = 0;
    let high = this.#order.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (compareTerms(this.#terms[this.#order[middle]!]!, term) < 0) low = middle + 1;
      else high = middle;
    }
    this.#at = low;
    return low < this.#order.length;
  }

  next(): boolean {
    if (this.#at < this.#order.length) this.#at++;
    return this.#at < this.#order.length;
  }

  get term(): string {
    return this.#terms[this.#order[this.#at]!]!;
  }

  get ordinal(): number {
    return this.#order[this.#at]!;
  }
}

/** Returns the terms and postings of one field of the buffer. */
export function bufferTerms(view: VisibleTerms, layout: TermsLayout): TermsReader {
  const { store, limit } = view;
  return {
    isInMemory: true,
    termCount: view.termCount,
    docCount: view.docCount,
    sumDocFreq: view.sumDocFreq,
    sumTotalTermFreq: view.sumTotalFreq,
    layout,
    lookup: (term) => findVisible(view, term),
    docFreq: (ordinal) => visibleDocFreq(store, ordinal, limit),
    totalTermFreq: (ordinal) => visibleTotalFreq(store, ordinal, limit),
    term: (ordinal) => store.terms[ordinal]!,
    postings: (ordinal: number, reuse?: PostingsCursor) => bufferPostings(store, ordinal, limit, reuse),
    cursor: () => new BufferTermsCursor(view),
  };
}
