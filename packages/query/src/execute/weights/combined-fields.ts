import { intToByte4, NO_MORE_DOCS, type NormsReader, type PostingsCursor, type SegmentReader } from '@shoal/segments';
import type { Weight } from '../../matcher.js';
import type { SegmentView } from '../../searcher.js';
import { DocMatcher } from '../matchers/doc-matcher.js';
import type { PlanOf } from '../plan-of.js';
import {
  DEFAULT_SIMILARITY,
  fieldScoring,
  inverseDocumentFrequency,
  lengthOfNorm,
  scoreOf,
  type TermScorer,
  termScorer,
} from '../similarity.js';
import type { WeightContext } from '../weight-context.js';

/**
 * Weight of terms over several fields searched as one field: frequencies and lengths are weighted sums (BM25F; Lucene's
 * CombinedFieldQuery).
 */
export function combinedWeight(plan: PlanOf<'combined'>, context: WeightContext): Weight {
  const scorer = context.needsScores ? combinedScorer(plan, context) : null;
  return {
    matcher: (segment, needsScores) => {
      const parts = partsOf(plan, segment.reader);
      return parts.length === 0
        ? null
        : new DocMatcher(new CombinedIterator(parts, fieldNorms(plan, segment.reader), needsScores ? scorer : null));
    },
  };
}

/** Frequency and norm of one document, as if the fields were one; the document frequency of the terms. */
export interface CombinedFrequency {
  readonly scorer: TermScorer;
  readonly docFreq: number;
  readonly freq: number;
  readonly norm: number;
}

/** Returns what a document is scored by; null when it has none of the terms. */
export function combinedFrequency(
  plan: PlanOf<'combined'>,
  context: WeightContext,
  { reader }: SegmentView,
  doc: number,
): CombinedFrequency | null {
  const scorer = combinedScorer(plan, context);
  const found = new CombinedIterator(partsOf(plan, reader), fieldNorms(plan, reader), scorer);
  if (scorer === null || found.next(doc) !== doc) return null;
  return { scorer, docFreq: docFreqOf(plan, context), freq: found.freq(doc), norm: found.norm(doc) };
}

/** The most documents that have one of the terms in one of the fields. */
function docFreqOf({ fields, terms }: PlanOf<'combined'>, { statistics }: WeightContext): number {
  const known = fields.filter(({ field }) => statistics.field(field) !== null);
  return Math.max(0, ...known.flatMap(({ field }) => terms.map((term) => statistics.docFreq(field, term))));
}

function combinedScorer(plan: PlanOf<'combined'>, context: WeightContext): TermScorer | null {
  const { statistics, boost } = context;
  let docCount = 0;
  let sumTotalTermFreq = 0;
  for (const { field, weight } of plan.fields) {
    const scoring = statistics.field(field);
    if (scoring === null) continue;
    docCount = Math.max(docCount, scoring.docCount);
    sumTotalTermFreq += Math.trunc(weight * scoring.sumTotalTermFreq);
  }
  if (docCount === 0) return null;
  return termScorer(
    Math.fround(boost * plan.boost),
    inverseDocumentFrequency(docFreqOf(plan, context), docCount),
    fieldScoring(docCount, sumTotalTermFreq, DEFAULT_SIMILARITY),
    () => [],
  );
}

interface Part {
  readonly cursor: PostingsCursor;
  readonly weight: number;
  /** Index in the decoded block. */
  at: number;
  size: number;
}

interface FieldNorms {
  readonly norms: NormsReader;
  readonly weight: number;
}

function partsOf(plan: PlanOf<'combined'>, reader: SegmentReader): Part[] {
  const parts: Part[] = [];
  for (const { field, weight } of plan.fields) {
    const terms = reader.terms(field);
    for (const term of plan.terms) {
      const ordinal = terms?.lookup(term) ?? -1;
      if (ordinal < 0) continue;
      reader.notePostings?.(field, 'frequencies');
      parts.push({ cursor: terms!.postings(ordinal), weight, at: 0, size: 0 });
    }
  }
  return parts;
}

function fieldNorms(plan: PlanOf<'combined'>, reader: SegmentReader): FieldNorms[] {
  return plan.fields.flatMap(({ field, weight }) => {
    const norms = reader.norms(field);
    return norms === null ? [] : [{ norms, weight }];
  });
}

/** The length of a document none of whose fields has norms. */
const NORM_OF_ONE = intToByte4(1);

function advance(part: Part, target: number): number {
  if (part.size === -1) return NO_MORE_DOCS;
  if (part.size === 0 || part.cursor.docs[part.size - 1]! < target) {
    part.size = part.cursor.advanceBlock(target) || -1;
    part.at = 0;
    if (part.size === -1) return NO_MORE_DOCS;
  }
  while (part.cursor.docs[part.at]! < target) part.at++;
  return part.cursor.docs[part.at]!;
}

class CombinedIterator {
  readonly cost: number;
  readonly #parts: readonly Part[];
  readonly #fields: readonly FieldNorms[];
  readonly #scorer: TermScorer | null;

  constructor(parts: readonly Part[], fields: readonly FieldNorms[], scorer: TermScorer | null) {
    this.#parts = parts;
    this.#fields = fields;
    this.#scorer = scorer;
    this.cost = parts.reduce((sum, { cursor }) => sum + cursor.docFreq, 0);
  }

  next(target: number): number {
    let least = NO_MORE_DOCS;
    for (const part of this.#parts) least = Math.min(least, advance(part, target));
    return least;
  }

  score(doc: number, needsScore: boolean): number {
    if (!needsScore || this.#scorer === null) return 0;
    return scoreOf(this.#scorer, this.freq(doc), this.norm(doc));
  }

  freq(doc: number): number {
    let freq = 0;
    for (const part of this.#parts) {
      if (advance(part, doc) === doc) freq = Math.fround(freq + Math.fround(part.weight * part.cursor.freqs[part.at]!));
    }
    return freq;
  }

  norm(doc: number): number {
    if (this.#fields.length === 0) return NORM_OF_ONE;
    let length = 0;
    for (const { norms, weight } of this.#fields)
      length = Math.fround(length + Math.fround(weight * lengthOfNorm(norms.get(doc))));
    return intToByte4(Math.round(length));
  }
}
