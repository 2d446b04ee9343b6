import type { Searcher } from '../searcher.js';
import {
  DEFAULT_SIMILARITY,
  type FieldScoring,
  fieldScoring,
  inverseDocumentFrequency,
  type SimilarityParameters,
  similarityParameters,
  type TermCounts,
} from './similarity.js';

/** Counts of a field; deleted documents are counted. */
export interface FieldCounts {
  readonly docCount: number;
  readonly sumTotalTermFreq: number;
  readonly sumDocFreq: number;
}

/** Counts summed over shards beforehand (`dfs_query_then_fetch`): fields by name, terms by `field\0term`. */
export interface GlobalStatistics {
  readonly fields: ReadonlyMap<string, FieldCounts>;
  readonly docFreqs: ReadonlyMap<string, number>;
  /** Occurrences of terms, by the same keys. */
  readonly totalTermFreqs: ReadonlyMap<string, number>;
}

/** Counts of one shard (of all shards with `global`) for scoring, each computed once a request. */
export interface Statistics {
  /** Null when no document has the field. */
  field(name: string): FieldScoring | null;
  /** Returns how many documents have the term, deleted ones included. */
  docFreq(field: string, term: string): number;
  /** Returns the counts of a term, deleted documents included. */
  counts(field: string, term: string): TermCounts;
  /** Returns the counts of a term that were summed over shards beforehand; null if there are none. */
  shared(field: string, term: string): TermCounts | null;
  /** Inverse document frequency as a float; 0 when no document has the field. */
  idf(field: string, term: string): number;
}

/** Returns the statistics of a searcher, or those of all shards if `global` is given. */
export function shardStatistics(searcher: Searcher, global: GlobalStatistics | null): Statistics {
  const fields = new Map<string, FieldScoring | null>();
  const field = (name: string): FieldScoring | null => {
    let scoring = fields.get(name);
    if (scoring === undefined) fields.set(name, (scoring = countField(searcher, name, global)));
    return scoring;
  };
  const docFreq = (name: string, term: string): number =>
    global?.docFreqs.get(termKey(name, term)) ?? countTerm(searcher, name, term);
  return {
    field,
    docFreq,
    counts: (name, term) => ({
      docFreq: docFreq(name, term),
      totalTermFreq: global?.totalTermFreqs.get(termKey(name, term)) ?? countOccurrences(searcher, name, term),
    }),
    shared(name, term) {
      const sum = global?.docFreqs.get(termKey(name, term));
      return sum === undefined
        ? null
        : { docFreq: sum, totalTermFreq: global!.totalTermFreqs.get(termKey(name, term)) ?? sum };
    },
    idf: (name, term) => {
      const scoring = field(name);
      return scoring === null ? 0 : inverseDocumentFrequency(docFreq(name, term), scoring.docCount);
    },
  };
}

/** The key of a term in `GlobalStatistics.docFreqs`. */
export function termKey(field: string, term: string): string {
  return `${field}\0${term}`;
}

/**
 * Returns the counts of a field, summed over the segments of a searcher. A key of a flattened field has those of the
 * whole field: 8.12 keeps all keys in one.
 */
export function fieldCounts(searcher: Searcher, name: string): FieldCounts {
  const counted = searcher.mapping.field(name)?.keyOf ?? name;
  let docCount = 0;
  let sumTotalTermFreq = 0;
  let sumDocFreq = 0;
  for (const { reader } of searcher.segments) {
    const terms = reader.terms(counted);
    if (terms === null) continue;
    docCount += terms.docCount;
    sumTotalTermFreq += terms.sumTotalTermFreq;
    sumDocFreq += terms.sumDocFreq;
  }
  return { docCount, sumTotalTermFreq, sumDocFreq };
}

const SCORING_BYTES = 1200;

function countField(searcher: Searcher, name: string, global: GlobalStatistics | null): FieldScoring | null {
  if (global !== null) return scoringOf(searcher, name, global);
  // The cache outlives refreshes: with the statistics of one document, those of two would have a negative idf.
  const versions = searcher.segments.map(({ version }) => version).join();
  return searcher.cache.get(`scoring|${name}|${versions}`, () => ({
    value: scoringOf(searcher, name, null),
    bytes: SCORING_BYTES,
  }));
}

function scoringOf(searcher: Searcher, name: string, global: GlobalStatistics | null): FieldScoring | null {
  const { docCount, sumTotalTermFreq, sumDocFreq } = global?.fields.get(name) ?? fieldCounts(searcher, name);
  if (docCount === 0) return null;
  return fieldScoring(docCount, sumTotalTermFreq, parametersOf(searcher, name), sumDocFreq);
}

function parametersOf(searcher: Searcher, field: string): SimilarityParameters {
  const settings = searcher.settings.similarity(field);
  return settings === null ? DEFAULT_SIMILARITY : similarityParameters(settings);
}

/** Returns how many documents of a searcher have a term, summed over its segments. */
export function countTerm(searcher: Searcher, field: string, term: string): number {
  let docFreq = 0;
  for (const { reader } of searcher.segments) {
    const terms = reader.terms(field);
    const ordinal = terms === null ? -1 : terms.lookup(term);
    if (ordinal >= 0) docFreq += terms!.docFreq(ordinal);
  }
  return docFreq;
}

/** Returns how often a term occurs in the documents of a searcher, summed over its segments. */
export function countOccurrences(searcher: Searcher, field: string, term: string): number {
  let total = 0;
  for (const { reader } of searcher.segments) {
    const terms = reader.terms(field);
    const ordinal = terms === null ? -1 : terms.lookup(term);
    if (ordinal >= 0) total += terms!.totalTermFreq(ordinal);
  }
  return total;
}
