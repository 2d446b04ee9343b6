import type { Searcher } from '../searcher.js';
import { DEFAULT_SIMILARITY, type FieldScoring, fieldScoring, inverseDocumentFrequency } from './similarity.js';

/** Counts summed over shards beforehand (`dfs_query_then_fetch`): fields by name, terms by `field\0term`. */
export interface GlobalStatistics {
  readonly fields: ReadonlyMap<string, { readonly docCount: number; readonly sumTotalTermFreq: number }>;
  readonly docFreqs: ReadonlyMap<string, number>;
}

/** Counts of one shard (of all shards with `global`) for scoring, each computed once a request. */
export interface Statistics {
  /** Null when no document has the field. */
  field(name: string): FieldScoring | null;
  /** Returns how many documents have the term, deleted ones included. */
  docFreq(field: string, term: string): number;
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

/** Returns the counts of a field, summed over the segments of a searcher. */
export function fieldCounts(searcher: Searcher, name: string): { docCount: number; sumTotalTermFreq: number } {
  let docCount = 0;
  let sumTotalTermFreq = 0;
  for (const { reader } of searcher.segments) {
    const terms = reader.terms(name);
    if (terms === null) continue;
    docCount += terms.docCount;
    sumTotalTermFreq += terms.sumTotalTermFreq;
  }
  return { docCount, sumTotalTermFreq };
}

const SCORING_BYTES = 1200;

function countField(searcher: Searcher, name: string, global: GlobalStatistics | null): FieldScoring | null {
  if (global !== null) return scoringOf(searcher, name, global);
  return searcher.cache.get(`scoring|${name}`, () => ({
    value: scoringOf(searcher, name, null),
    bytes: SCORING_BYTES,
  }));
}

function scoringOf(searcher: Searcher, name: string, global: GlobalStatistics | null): FieldScoring | null {
  const { docCount, sumTotalTermFreq } = global?.fields.get(name) ?? fieldCounts(searcher, name);
  if (docCount === 0) return null;
  return fieldScoring(docCount, sumTotalTermFreq, searcher.settings.similarity(name) ?? DEFAULT_SIMILARITY);
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
