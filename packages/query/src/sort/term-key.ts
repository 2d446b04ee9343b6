import { type Value, compareTerms } from '@shoal/codec';
import { errors, isApiError } from '@shoal/errors';
import { multiOrdinals, type MultiOrdinals, type OrdinalColumn } from '@shoal/segments';
import type { SegmentView } from '../searcher.js';
import { childrenOf, type NestedDocs } from './nested-docs.js';
import type { SegmentKeys, SortKey } from './sort-key.js';
import type { TermValue } from './term-value.js';

/** Options of a sort by the terms of a field. */
export interface TermSort {
  readonly field: string;
  readonly isDescending: boolean;
  readonly takesMax: boolean;
  /** Place of documents without a term, or the term that stands for a missing one. */
  readonly missing: '_first' | '_last' | { readonly term: string };
  readonly nested: NestedDocs | null;
  render(term: string): Value;
  parse(value: unknown): string;
}

/** Returns the sort key of keywords and addresses: ranks in the segment's dictionary. */
export function termKey(sort: TermSort): SortKey {
  return {
    slots: 1,
    needsScores: false,
    direction: sort.isDescending ? -1 : 1,
    isSegmental: true,
    segment: (view) => new TermKeys(sort, view),
    parseAfter: (value) => (value === null ? null : parseTerm(sort, value)),
  };
}

function parseTerm(sort: TermSort, value: unknown): string {
  try {
    return sort.parse(value);
  } catch (error) {
    if (isApiError(error)) throw error;
    throw errors.illegalArgument(`Failed to parse search_after value for field [${sort.field}].`);
  }
}

class TermKeys implements SegmentKeys {
  readonly #sort: TermSort;
  readonly #sign: number;
  readonly #column: OrdinalColumn | null;
  readonly #ranks: Int32Array | null;
  readonly #view: SegmentView;
  readonly #missing: number;
  #order: Int32Array | null = null;
  #ordinals = new Int32Array(0);
  #all: MultiOrdinals | null = null;
  readonly #oneDoc = new Int32Array(1);
  readonly #one = new Int32Array(1);

  constructor(sort: TermSort, view: SegmentView) {
    this.#sort = sort;
    this.#view = view;
    this.#sign = sort.isDescending ? -1 : 1;
    this.#column = view.reader.ordinals(sort.field);
    this.#ranks = this.#column === null ? null : this.#column.ranks();
    this.#missing = this.#missingKey();
  }

  #missingKey(): number {
    const { missing } = this.#sort;
    if (missing === '_last') return Infinity;
    return missing === '_first' ? -Infinity : this.#sign * this.#rankOf(missing.term);
  }

  read(_slot: number, docs: Int32Array, count: number, _scores: Float64Array | null, out: Float64Array): void {
    if (this.#column === null) {
      out.fill(this.#missing, 0, count);
      return;
    }
    if (this.#ordinals.length < count) this.#ordinals = new Int32Array(Math.max(count, 512));
    this.#readOrdinals(this.#column, docs, count, this.#ordinals);
    for (let i = 0; i < count; i++) {
      const ordinal = this.#ordinals[i]!;
      out[i] = ordinal < 0 ? this.#missing : this.#sign * (this.#ranks === null ? ordinal : this.#ranks[ordinal]!);
    }
  }

  #readOrdinals(column: OrdinalColumn, docs: Int32Array, count: number, out: Int32Array): void {
    if (this.#sort.nested !== null) for (let i = 0; i < count; i++) out[i] = this.#nestedOrdinal(column, docs[i]!);
    else if (column.isSingleValued || !this.#sort.takesMax) column.read(docs, count, out);
    else this.#readLast(column, docs, count, out);
  }

  #readLast(column: OrdinalColumn, docs: Int32Array, count: number, out: Int32Array): void {
    this.#all ??= multiOrdinals();
    column.readAll(docs, count, this.#all);
    const { starts, values } = this.#all;
    for (let i = 0; i < count; i++) out[i] = starts[i] === starts[i + 1] ? -1 : values[starts[i + 1]! - 1]!;
  }

  #nestedOrdinal(column: OrdinalColumn, doc: number): number {
    const all = (this.#all ??= multiOrdinals());
    const hasValue = (child: number): boolean => {
      column.readAll(Int32Array.of(child), 1, all);
      return all.starts[1]! > 0;
    };
    const children = childrenOf(this.#sort.nested!, this.#view, doc, hasValue);
    column.readAll(children, children.length, this.#all);
    let best = -1;
    for (let i = 0; i < this.#all.starts[children.length]!; i++) {
      const ordinal = this.#all.values[i]!;
      if (best < 0 || this.#sort.takesMax === this.#rank(ordinal) > this.#rank(best)) best = ordinal;
    }
    return best;
  }

  #rank(ordinal: number): number {
    return this.#ranks === null ? ordinal : this.#ranks[ordinal]!;
  }

  /** Returns the rank of a term; a term that the segment lacks gets a rank half way between its neighbours. */
  #rankOf(term: string): number {
    const column = this.#column;
    if (column === null) return -0.5;
    let low = 0;
    let high = column.ordinalCount;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const order = compareTerms(column.term(this.#atRank(middle)), term);
      if (order === 0) return middle;
      if (order < 0) low = middle + 1;
      else high = middle;
    }
    return low - 0.5;
  }

  #atRank(rank: number): number {
    if (this.#ranks === null) return rank;
    if (this.#order === null) {
      this.#order = new Int32Array(this.#ranks.length);
      for (let ordinal = 0; ordinal < this.#ranks.length; ordinal++) this.#order[this.#ranks[ordinal]!] = ordinal;
    }
    return this.#order[rank]!;
  }

  blockBest(): number {
    return -Infinity;
  }

  blockWorst(): number {
    return Infinity;
  }

  termOf(doc: number): string | null {
    if (this.#column === null) return null;
    this.#oneDoc[0] = doc;
    this.#readOrdinals(this.#column, this.#oneDoc, 1, this.#one);
    return this.#one[0]! < 0 ? null : this.#column.term(this.#one[0]!);
  }

  value(doc: number): Value {
    const { missing, render } = this.#sort;
    const term = this.termOf(doc) ?? (typeof missing === 'string' ? null : missing.term);
    if (term === null) return null;
    const shown = render(term);
    return shown === term ? term : ({ term, shown } satisfies TermValue);
  }

  keyOf(_slot: number, value: Value): number {
    return typeof value === 'string' ? this.#sign * this.#rankOf(value) : this.#missing;
  }
}
