import { errors } from '@shoal/errors';

/** Which terms of a document `_termvectors` keeps: those that say most about it. */
export interface TermFilter {
  /** Terms of each field. */
  readonly termsMax: number;
  readonly termFreqMin: number;
  readonly termFreqMax: number;
  readonly docFreqMin: number;
  readonly docFreqMax: number;
  /** Length of a word; a maximum of 0 is none. */
  readonly lengthMin: number;
  readonly lengthMax: number;
}

const NAMES: Readonly<Record<string, keyof TermFilter>> = {
  max_num_terms: 'termsMax',
  min_term_freq: 'termFreqMin',
  max_term_freq: 'termFreqMax',
  min_doc_freq: 'docFreqMin',
  max_doc_freq: 'docFreqMax',
  min_word_length: 'lengthMin',
  max_word_length: 'lengthMax',
};

const DEFAULTS: TermFilter = {
  termsMax: 25,
  termFreqMin: 1,
  termFreqMax: Infinity,
  docFreqMin: 1,
  docFreqMax: Infinity,
  lengthMin: 0,
  lengthMax: 0,
};

function whole(value: unknown): number {
  const number = typeof value === 'number' ? Math.trunc(value) : Number(String(value).trim() || Number.NaN);
  if (!Number.isInteger(number)) throw errors.numberFormat(`For input string: "${String(value)}"`);
  return number;
}

/** Parses `filter` of a request for term vectors. Throws parse_exception and number_format_exception. */
export function parseTermFilter(json: Readonly<Record<string, unknown>>): TermFilter {
  const filter = { ...DEFAULTS };
  for (const [key, value] of Object.entries(json)) {
    const name = Object.hasOwn(NAMES, key) ? NAMES[key] : undefined;
    if (name === undefined)
      throw errors.parse(
        `failed to parse term vectors request. the field [${key}] is not valid for filter parameter for term vector ` +
          'request',
      );
    filter[name] = whole(value);
  }
  return filter;
}

/** Frequencies of a term in the document and over the documents of its shard. */
export interface TermCounts {
  readonly term: string;
  readonly termFreq: number;
  readonly docFreq: number;
}

/**
 * Returns the scores of the best terms of a field that pass the filter: frequency in the document times the inverse
 * frequency over documents of Lucene's ClassicSimilarity (TermVectorsFilter of Elasticsearch). `docCount`: documents
 * with the field.
 */
export function scoredTerms(
  counts: readonly TermCounts[],
  docCount: number,
  filter: TermFilter,
): ReadonlyMap<string, number> {
  const kept = counts.filter((one) => passes(one, filter));
  const scored = kept.map(({ term, termFreq, docFreq }) => ({
    term,
    score: Math.fround(termFreq * idf(docFreq, docCount)),
  }));
  scored.sort((a, b) => b.score - a.score || (a.term < b.term ? -1 : 1));
  return new Map(scored.slice(0, filter.termsMax).map(({ term, score }) => [term, score]));
}

const idf = (docFreq: number, docCount: number): number => Math.fround(Math.log((docCount + 1) / (docFreq + 1)) + 1);

function passes({ term, termFreq, docFreq }: TermCounts, filter: TermFilter): boolean {
  if (filter.lengthMin > 0 && term.length < filter.lengthMin) return false;
  if (filter.lengthMax > 0 && term.length > filter.lengthMax) return false;
  if (termFreq < filter.termFreqMin || termFreq > filter.termFreqMax) return false;
  return docFreq >= filter.docFreqMin && docFreq <= filter.docFreqMax;
}
