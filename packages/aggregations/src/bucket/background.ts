import type { ParsedQuery, Searcher, SegmentView, Weight } from '@shoal/query';
import type { NumberColumn, TermsReader } from '@shoal/segments';
import type { BuildSite } from '../aggregation-type.js';
import { docFilter } from '../collect/doc-filter.js';
import { eachPlainWindow, eachRootWindow, keepLiveRoots } from '../collect/seen-docs.js';
import type { CollectContext } from '../collector.js';
import { numberSource } from '../source/number-source.js';
import { ordinalSource } from '../source/ordinal-source.js';
import type { ResolvedField } from '../source/values-source.js';
import { isWide, wholeKey } from '../source/wide-numbers.js';

/** Document frequencies of keys in the background: the whole shard, or the documents that match a filter. */
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

/**
 * Whether the background is the live root documents that match a filter. Otherwise it is all documents of the shard,
 * deleted ones too where the segment has live ones. As in 8.12, which puts a filter around the background if the
 * mapping has nested objects or an alias a filter, and else reads the statistics of the index.
 */
function isFiltered({ searcher }: CollectContext, filter: Weight | null): boolean {
  return filter !== null || searcher.mapping.hasNested || searcher.hidesDocuments === true;
}

function segmentsOf({ segments }: Searcher): readonly SegmentView[] {
  return segments.filter(({ liveCount }) => liveCount > 0);
}

const sizeOfAll = (searcher: Searcher): number => segmentsOf(searcher).reduce((sum, { maxDoc }) => sum + maxDoc, 0);

/**
 * Counts the documents of each key by reading the column of all documents. Without a filter deleted documents count for
 * the size of the background and for booleans, which 8.12 looks up in an index of terms, and for no other key.
 */
function scan(build: BuildSite, field: ResolvedField, filter: Weight | null): Background {
  const { context } = build;
  const counts = new Map<string | number | bigint, number>();
  const wide = field.column === 'long' && isWide(context.searcher, field.type.name);
  const matching = filter ? docFilter(filter, context.scratch) : null;
  const numbers = field.column === 'ordinals' ? null : numberSource(field.type, Number.NaN, context.scratch);
  const ordinals = numbers ? null : ordinalSource(field.type.name, context.scratch);
  const add = (key: string | number | bigint): void => void counts.set(key, (counts.get(key) ?? 0) + 1);
  const isWhole = !isFiltered(context, filter);
  const each = isWhole && field.type.valueKind === 'boolean' ? eachPlainWindow : eachRootWindow;
  let size = 0;
  for (const view of segmentsOf(context.searcher)) {
    matching?.segment(view);
    (numbers ?? ordinals)!.segment(view);
    each(view, (all, width) => {
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
  return { size: isWhole ? sizeOfAll(context.searcher) : size, count: (key) => counts.get(key) ?? 0 };
}

/** Sums what `keep` counts in each block of a posting list. */
function countPostings(terms: TermsReader, ordinal: number, keep: (docs: Int32Array, size: number) => number): number {
  const cursor = terms.postings(ordinal);
  let total = 0;
  for (let size = cursor.nextBlock(); size > 0; size = cursor.nextBlock()) total += keep(cursor.docs, size);
  return total;
}

/** Counts the documents of a term by the dictionaries of segments. */
function countTerm(
  searcher: Searcher,
  field: string,
  key: string | number | bigint,
  count: (terms: TermsReader, ordinal: number, view: SegmentView) => number,
): number {
  let total = 0;
  for (const view of segmentsOf(searcher)) {
    const terms = view.reader.terms(field);
    const ordinal = terms?.lookup(String(key)) ?? -1;
    if (terms && ordinal >= 0) total += count(terms, ordinal, view);
  }
  return total;
}

/**
 * Reads document frequencies from the term dictionary, deleted documents included; of a filtered background they are
 * counted in the posting lists.
 */
function termBackground(build: BuildSite, field: string, filter: Weight | null): Background {
  const { searcher } = build.context;
  if (isFiltered(build.context, filter)) return filteredTermBackground(build, field, filter);
  return {
    size: sizeOfAll(searcher),
    count: (key) => countTerm(searcher, field, key, (terms, ordinal) => terms.docFreq(ordinal)),
  };
}

/**
 * The background of a field: read from its term dictionary if it has one and no filter is given, otherwise counted by
 * `scan`.
 */
export function backgroundOf(build: BuildSite, field: ResolvedField, query: ParsedQuery | null): Background {
  const filter = build.context.background(query);
  return !filter && field.type.layout?.terms && field.column === 'ordinals'
    ? termBackground(build, field.type.name, null)
    : scan(build, field, filter);
}

/** The background of a text field, among the documents that match a query if one is given. */
export function textBackground(build: BuildSite, field: string, query: ParsedQuery | null): Background {
  return termBackground(build, field, build.context.background(query));
}

function filteredTermBackground(build: BuildSite, field: string, weight: Weight | null): Background {
  const { searcher, scratch } = build.context;
  const matching = weight ? docFilter(weight, scratch) : null;
  const kept = (docs: Int32Array, size: number): number => (matching ? matching.filter(docs, size) : size);
  let size = 0;
  for (const view of segmentsOf(searcher)) {
    matching?.segment(view);
    eachRootWindow(view, (docs, width) => void (size += kept(docs, width)));
  }
  const count = (key: string | number | bigint): number =>
    countTerm(searcher, field, key, (terms, ordinal, view) => {
      matching?.segment(view);
      return countPostings(terms, ordinal, (posted, width) => {
        const docs = posted.slice(0, width);
        return kept(docs, keepLiveRoots(view, docs, width));
      });
    });
  return { size, count };
}
