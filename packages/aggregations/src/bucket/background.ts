import type { ParsedQuery, SegmentView, Weight } from '@shoal/query';
import type { NumberColumn, TermsReader } from '@shoal/segments';
import type { BuildSite } from '../aggregation-type.js';
import { docFilter } from '../collect/doc-filter.js';
import { countSeen, eachWindow } from '../collect/seen-docs.js';
import { numberSource } from '../source/number-source.js';
import { ordinalSource } from '../source/ordinal-source.js';
import type { ResolvedField } from '../source/values-source.js';
import { isWide, wholeKey } from '../source/wide-numbers.js';

/** Document frequencies of keys in the whole shard, or among the documents that match `background_filter`. */
export interface Background {
  readonly size: number;
  count(key: string | number | bigint): number;
}

function addWhole(
  column: NumberColumn | null,
  docs: Int32Array,
  count: number,
  add: (key: number | bigint) => void,
): void {
  for (let i = 0; i < count; i++) for (const value of new Set(column?.bigs(docs[i]!))) add(wholeKey(value));
}

/** Counts the documents of each key by reading the column of all documents. */
function scan(build: BuildSite, field: ResolvedField, filter: Weight | null): Background {
  const counts = new Map<string | number | bigint, number>();
  const wide = field.column === 'long' && isWide(build.context.searcher, field.type.name);
  const matching = filter ? docFilter(filter, build.context.scratch) : null;
  const numbers = field.column === 'ordinals' ? null : numberSource(field.type, Number.NaN, build.context.scratch);
  const ordinals = numbers ? null : ordinalSource(field.type.name, build.context.scratch);
  const add = (key: string | number | bigint): void => void counts.set(key, (counts.get(key) ?? 0) + 1);
  let size = 0;
  for (const view of build.context.searcher.segments) {
    matching?.segment(view);
    (numbers ?? ordinals)!.segment(view);
    eachWindow(build.context.searcher, view, (all, width) => {
      const count = matching ? matching.filter(all, width) : width;
      const docs = matching ? matching.kept : all;
      size += count;
      if (wide) return addWhole(view.reader.numbers(field.type.name), docs, count, add);
      if (numbers) {
        const { starts, values } = numbers.readAll(docs, count);
        for (let i = 0; i < count; i++)
          for (let j = starts[i]!; j < starts[i + 1]!; j++)
            if (j === starts[i]! || values[j] !== values[j - 1]) add(values[j]!);
        return;
      }
      const { starts, values } = ordinals!.readAll(docs, count);
      for (let j = 0; j < starts[count]!; j++) add(ordinals!.column!.term(values[j]!));
    });
  }
  return { size: filter ? size : build.context.searcher.liveDocCount, count: (key) => counts.get(key) ?? 0 };
}

/** Sums what `keep` counts in each block of a posting list. */
function countPostings(terms: TermsReader, ordinal: number, keep: (docs: Int32Array, size: number) => number): number {
  const cursor = terms.postings(ordinal);
  let total = 0;
  for (let size = cursor.nextBlock(); size > 0; size = cursor.nextBlock()) total += keep(cursor.docs, size);
  return total;
}

/**
 * Reads document frequencies from the term dictionary, deleted documents included, as Elasticsearch does. If
 * document-level security hides documents, only visible ones are counted, from the posting lists.
 */
function termBackground(build: BuildSite, field: string): Background {
  const { searcher } = build.context;
  const frequency = (terms: TermsReader, ordinal: number, view: SegmentView): number =>
    searcher.hidesDocuments === true
      ? countPostings(terms, ordinal, (docs, size) => countSeen(searcher, view, docs, size))
      : terms.docFreq(ordinal);
  return {
    size: searcher.liveDocCount,
    count(key) {
      let total = 0;
      for (const view of searcher.segments) {
        const terms = view.reader.terms(field);
        const ordinal = terms?.lookup(String(key)) ?? -1;
        if (terms && ordinal >= 0) total += frequency(terms, ordinal, view);
      }
      return total;
    },
  };
}

/**
 * The background of a field: read from its term dictionary if it has one and no filter is given, otherwise counted by
 * `scan`.
 */
export function backgroundOf(build: BuildSite, field: ResolvedField, query: ParsedQuery | null): Background {
  const filter = build.context.background(query);
  return !filter && field.type.layout?.terms && field.column === 'ordinals'
    ? termBackground(build, field.type.name)
    : scan(build, field, filter);
}

/** The background of a text field, among the documents that match a query if one is given. */
export function textBackground(build: BuildSite, field: string, query: ParsedQuery | null): Background {
  const weight = build.context.background(query);
  return weight ? filteredTermBackground(build, field, weight) : termBackground(build, field);
}

function filteredTermBackground(build: BuildSite, field: string, weight: Weight): Background {
  const { searcher } = build.context;
  const count = (key: string | number | bigint): number => {
    let total = 0;
    for (const view of searcher.segments) {
      const terms = view.reader.terms(field);
      const ordinal = terms?.lookup(String(key)) ?? -1;
      if (!terms || ordinal < 0) continue;
      const matching = docFilter(weight, build.context.scratch);
      matching.segment(view);
      total += countPostings(terms, ordinal, (docs, size) => {
        const kept = matching.filter(docs, size);
        return countSeen(searcher, view, matching.kept, kept);
      });
    }
    return total;
  };
  let size = 0;
  for (const view of searcher.segments) {
    const matching = docFilter(weight, build.context.scratch);
    matching.segment(view);
    eachWindow(searcher, view, (docs, width) => void (size += matching.filter(docs, width)));
  }
  return { size, count };
}
