import { decodeValue, encodeValue } from '@shoal/codec';
import { countTerm, fieldCounts, type GlobalStatistics, termKey } from './execute/statistics.js';
import type { Plan } from './plan.js';
import { visitScoredTerms } from './plan-facts.js';
import type { Searcher } from './searcher.js';

type Encoded = {
  readonly fields: Readonly<Record<string, readonly number[]>>;
  readonly terms: Readonly<Record<string, number>>;
};

/** Decodes statistics that the coordinator has summed over shards. */
export function decodeStatistics(bytes: Uint8Array): GlobalStatistics {
  const { fields, terms } = decodeValue(bytes) as unknown as Encoded;
  return {
    fields: new Map(
      Object.entries(fields).map(([name, [docCount = 0, sumTotalTermFreq = 0]]) => [
        name,
        { docCount, sumTotalTermFreq },
      ]),
    ),
    docFreqs: new Map(Object.entries(terms)),
  };
}

/** Returns the encoded statistics of the fields and terms that a plan scores, for `dfs_query_then_fetch`. */
export function collectStatistics(plan: Plan, searcher: Searcher): Uint8Array {
  const fields = new Map<string, number[]>();
  const terms = new Map<string, number>();
  visitScoredTerms(plan, (field, term) => {
    const { docCount, sumTotalTermFreq } = fieldCounts(searcher, field);
    fields.set(field, [docCount, sumTotalTermFreq]);
    terms.set(termKey(field, term), countTerm(searcher, field, term));
  });
  return encodeValue({ fields: Object.fromEntries(fields), terms: Object.fromEntries(terms) });
}

function sumDocFreqs(searcher: Searcher, field: string): number {
  return searcher.segments.reduce((sum, { reader }) => sum + (reader.terms(field)?.sumDocFreq ?? 0), 0);
}

function totalTermFreq(searcher: Searcher, field: string, term: string): number {
  let total = 0;
  for (const { reader } of searcher.segments) {
    const terms = reader.terms(field);
    const ordinal = terms === null ? -1 : terms.lookup(term);
    if (ordinal >= 0) total += terms!.totalTermFreq(ordinal);
  }
  return total;
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
    (term) => [term, [countTerm(searcher, field, term), totalTermFreq(searcher, field, term)]] as const,
  );
  return {
    ...fieldCounts(searcher, field),
    sumDocFreq: sumDocFreqs(searcher, field),
    terms: Object.fromEntries(counts),
  };
}
