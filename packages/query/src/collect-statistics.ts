import { decodeValue, encodeValue } from '@shoal/codec';
import { countOccurrences, countTerm, fieldCounts, type GlobalStatistics, termKey } from './execute/statistics.js';
import type { Plan } from './plan.js';
import { visitScoredTerms } from './plan-facts.js';
import type { Searcher } from './searcher.js';

type Encoded = {
  /** docCount, sumTotalTermFreq and, from nodes of this version, sumDocFreq by field. */
  readonly fields: Readonly<Record<string, readonly number[]>>;
  /** docFreq by term. */
  readonly terms: Readonly<Record<string, number>>;
  /** totalTermFreq by term; absent if a node of an older version takes part. */
  readonly occurrences?: Readonly<Record<string, number>>;
};

/** Decodes statistics that the coordinator has summed over shards. */
export function decodeStatistics(bytes: Uint8Array): GlobalStatistics {
  const { fields, terms, occurrences = {} } = decodeValue(bytes) as unknown as Encoded;
  return {
    fields: new Map(
      Object.entries(fields).map(([name, [docCount = 0, sumTotalTermFreq = 0, sumDocFreq = 0]]) => [
        name,
        { docCount, sumTotalTermFreq, sumDocFreq },
      ]),
    ),
    docFreqs: new Map(Object.entries(terms)),
    totalTermFreqs: new Map(Object.entries(occurrences)),
  };
}

/** Returns the encoded statistics of the fields and terms that plans score, for `dfs_query_then_fetch`. */
export function collectStatistics(plans: readonly Plan[], searcher: Searcher): Uint8Array {
  const fields = new Map<string, number[]>();
  const terms = new Map<string, number>();
  const occurrences = new Map<string, number>();
  for (const plan of plans)
    visitScoredTerms(plan, searcher, (field, term, counts) => {
      const { docCount, sumTotalTermFreq, sumDocFreq } = fieldCounts(searcher, field);
      fields.set(field, [docCount, sumTotalTermFreq, sumDocFreq]);
      terms.set(termKey(field, term), counts?.docFreq ?? countTerm(searcher, field, term));
      occurrences.set(termKey(field, term), counts?.totalTermFreq ?? countOccurrences(searcher, field, term));
    });
  return encodeValue({
    fields: Object.fromEntries(fields),
    terms: Object.fromEntries(terms),
    occurrences: Object.fromEntries(occurrences),
  });
}

/** Returns the counts of a field and of given terms, for term vectors; `terms` are `[docFreq, totalTermFreq]`. */
export function termCounts(
  searcher: Searcher,
  field: string,
  terms: readonly string[],
): {
  readonly docCount: number;
  readonly sumDocFreq: number;
  readonly sumTotalTermFreq: number;
  readonly terms: Readonly<Record<string, readonly [docFreq: number, totalTermFreq: number]>>;
} {
  const counts = terms.map(
    (term) => [term, [countTerm(searcher, field, term), countOccurrences(searcher, field, term)]] as const,
  );
  return {
    ...fieldCounts(searcher, field),
    terms: Object.fromEntries(counts),
  };
}
