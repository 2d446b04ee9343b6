import { decodeValue, encodeValue } from '@shoal/codec';
import {
  countTerm,
  fieldCounts,
  type GlobalStatistics,
  type Plan,
  type Searcher,
  termKey,
  visitScoredTerms,
} from '@shoal/query';

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
