import {
  EXTRA_FREQ_MAX,
  NO_MORE_DOCS,
  type NumberColumn,
  type SegmentReader,
  type TermsReader,
  WINDOW_DOCS,
} from '@shoal/segments';
import { featureOfFrequency, frequencyOfFeature } from '@shoal/values';
import type { Matcher, Weight } from '../../matcher.js';
import type { FeatureFunction } from '../../plan.js';
import type { Searcher, SegmentView } from '../../searcher.js';
import { type FeatureScore, featureScore, featureScorer } from '../feature-score.js';
import { DisjunctionMatcher } from '../matchers/bool-matchers.js';
import { PostingsWalk } from '../matchers/postings-walk.js';
import { TermMatcher } from '../matchers/term-matcher.js';
import type { PlanOf } from '../plan-of.js';
import type { WeightContext } from '../weight-context.js';

const f = Math.fround;

type FeaturePlan = PlanOf<'rankFeature'>;

/**
 * Postings of a feature in a segment, whose frequencies stand for the values; null if there are none. A `rank_feature`
 * field has a column instead, and so have the features of segments of earlier builds.
 */
function postingsOf({ of: [field, feature] }: FeaturePlan, reader: SegmentReader): FeaturePostings | null {
  const terms = reader.terms(field);
  const ordinal = terms === null ? -1 : terms.lookup(feature);
  return ordinal < 0 ? null : { terms: terms!, ordinal };
}

interface FeaturePostings {
  readonly terms: TermsReader;
  readonly ordinal: number;
}

/**
 * Returns the pivot of a saturation: the one that is given, else the mean of the frequencies of the shard's values,
 * which is about their geometric mean. Deleted documents count.
 */
export function pivotOf(plan: FeaturePlan, searcher: Searcher): number {
  const { field, score } = plan;
  if (score.kind !== 'saturation') return 1;
  if (score.pivot !== null) return score.pivot;
  return searcher.cache.get(`pivot/${field}/${searcher.segments.map(({ version }) => version).join()}`, () => {
    let [sum, count] = [0, 0];
    for (const { reader, maxDoc } of searcher.segments) {
      const postings = postingsOf(plan, reader);
      if (postings !== null) {
        sum += totalOf(postings);
        count += postings.terms.docFreq(postings.ordinal);
      }
      const column = reader.numbers(field);
      if (column === null) continue;
      eachValue(column, maxDoc, (value) => {
        sum += frequencyOfFeature(value);
        count++;
      });
    }
    return { value: count === 0 ? 1 : featureOfFrequency(Math.trunc(f(sum / count))), bytes: 8 };
  });
}

/** Sum of the frequencies of a feature. */
function totalOf({ terms, ordinal }: FeaturePostings): number {
  const total = terms.totalTermFreq(ordinal);
  if (total - terms.docFreq(ordinal) < EXTRA_FREQ_MAX) return total;
  const cursor = terms.postings(ordinal);
  let sum = 0;
  for (let size = cursor.nextBlock(); size > 0; size = cursor.nextBlock())
    for (let i = 0; i < size; i++) sum += cursor.freqs[i]!;
  return sum;
}

function eachValue(column: NumberColumn, maxDoc: number, visit: (value: number) => void): void {
  const docs = new Int32Array(WINDOW_DOCS);
  const values = new Float64Array(WINDOW_DOCS);
  let count = 0;
  const flush = (): void => {
    column.read(docs, count, values);
    for (let i = 0; i < count; i++) visit(values[i]!);
    count = 0;
  };
  for (let doc = column.nextDocWithField(0); doc < maxDoc; doc = column.nextDocWithField(doc + 1)) {
    docs[count++] = doc;
    if (count === WINDOW_DOCS) flush();
  }
  if (count > 0) flush();
}

/** Returns the value of a feature of one document that has it. */
export function featureOf(plan: FeaturePlan, { reader }: SegmentView, doc: number): number {
  const postings = postingsOf(plan, reader);
  if (postings !== null) {
    const walk = new PostingsWalk(postings.terms.postings(postings.ordinal));
    if (walk.advance(doc) === doc) return featureOfFrequency(walk.freq());
  }
  const value = new Float64Array(1);
  reader.numbers(plan.field)?.read(Int32Array.of(doc), 1, value);
  return value[0]!;
}

/** Whether a segment may have documents with a feature. */
export const hasFeature = (plan: FeaturePlan, { reader }: SegmentView): boolean =>
  postingsOf(plan, reader) !== null || reader.numbers(plan.field) !== null;

/** Weight of documents with a feature. */
export function rankFeatureWeight(plan: FeaturePlan, context: WeightContext): Weight {
  const weight = f(context.boost * plan.boost);
  let pivot: number | null = null;
  const bound = (): readonly [FeatureFunction, number, number] => [
    plan.score,
    weight,
    (pivot ??= pivotOf(plan, context.searcher)),
  ];
  return {
    matcher: (segment) => {
      const listed = listedMatcher(plan, segment, context, bound);
      const column = segment.reader.numbers(plan.field);
      if (column === null) return listed;
      const score = context.needsScores ? featureScore(...bound()) : () => 0;
      const own = new FeatureMatcher(segment, column, score);
      // A merge of segments of this build and of an earlier one has some documents in postings and some in the column.
      return listed === null ? own : new DisjunctionMatcher([listed, own], 1, context.scratch);
    },
  };
}

function listedMatcher(
  plan: FeaturePlan,
  { reader }: SegmentView,
  { needsScores, scratch }: WeightContext,
  bound: () => readonly [FeatureFunction, number, number],
): Matcher | null {
  const postings = postingsOf(plan, reader);
  if (postings === null) return null;
  reader.notePostings?.(plan.of[0], needsScores ? 'frequencies' : 'documents');
  const scorer = needsScores ? featureScorer(...bound()) : null;
  return new TermMatcher(postings.terms, postings.ordinal, null, scorer, 0, scratch);
}

/** In a range of fewer documents they are looked for one by one: a list of a window's documents decodes all of them. */
const LISTED_DOCS_MIN = 256;

/** Documents and values of one window, for all matchers of the thread: none needs them between two calls. */
const windowDocs = new Int32Array(WINDOW_DOCS);
const windowValues = new Float64Array(WINDOW_DOCS);

class FeatureMatcher implements Matcher {
  readonly cost: number;
  readonly #segment: SegmentView;
  readonly #column: NumberColumn;
  readonly #score: FeatureScore;

  constructor(segment: SegmentView, column: NumberColumn, score: FeatureScore) {
    this.#segment = segment;
    this.#column = column;
    this.#score = score;
    this.cost = column.docsWithField;
  }

  window(from: number, to: number, docs: Int32Array, scores: Float64Array | null): number {
    if (this.#listsPresent(from, to)) return this.#presentWindow(from, to, docs, scores);
    let count = 0;
    for (let doc = this.next(from); doc < to; doc = this.next(doc + 1)) docs[count++] = doc;
    if (scores !== null) {
      scores.fill(0, 0, count);
      this.#addScores(docs, count, scores);
    }
    return count;
  }

  /** Whether the column lists the documents in a range that have values: a range of one window, not too short. */
  #listsPresent(from: number, to: number): boolean {
    const isOneWindow = (from ^ (to - 1)) < WINDOW_DOCS;
    return isOneWindow && to - from >= LISTED_DOCS_MIN && this.#column.readPresent !== undefined;
  }

  #presentWindow(from: number, to: number, docs: Int32Array, scores: Float64Array | null): number {
    const count = this.#column.readPresent!(from, to, windowDocs, windowValues);
    for (let i = 0; i < count; i++) docs[i] = windowDocs[i]!;
    if (scores !== null) for (let i = 0; i < count; i++) scores[i] = this.#score(windowValues[i]!);
    return count;
  }

  /** Adds to the sums of a disjunction without a list of scores between. */
  accumulate(from: number, to: number, sums: Float64Array | null, words: Int32Array, counts: Uint8Array | null): void {
    const count = this.window(from, to, windowDocs, null);
    if (!this.#listsPresent(from, to)) this.#column.read(windowDocs, count, windowValues);
    for (let i = 0; i < count; i++) {
      const at = windowDocs[i]! - from;
      words[at >>> 5]! |= 1 << (at & 31);
      if (counts !== null && counts[at]! < 255) counts[at]!++;
      if (sums !== null) sums[at]! += this.#score(windowValues[i]!);
    }
  }

  /** Adds the scores of those of the documents that match. */
  add(docs: Int32Array, count: number, scores: Float64Array): void {
    for (let from = 0; from < count; from += WINDOW_DOCS) {
      const part = docs.subarray(from, Math.min(count, from + WINDOW_DOCS));
      this.#column.read(part, part.length, windowValues);
      for (let i = 0; i < part.length; i++)
        if (!Number.isNaN(windowValues[i]!)) scores[from + i]! += this.#score(windowValues[i]!);
    }
  }

  filter(docs: Int32Array, count: number, scores: Float64Array | null): number {
    let kept = 0;
    for (let from = 0; from < count; from += WINDOW_DOCS) {
      const end = Math.min(count, from + WINDOW_DOCS);
      this.#column.read(docs.subarray(from, end), end - from, windowValues);
      for (let i = from; i < end; i++) {
        const value = windowValues[i - from]!;
        if (Number.isNaN(value)) continue;
        docs[kept] = docs[i]!;
        if (scores !== null) scores[kept] = scores[i]! + this.#score(value);
        kept++;
      }
    }
    return kept;
  }

  #addScores(docs: Int32Array, count: number, scores: Float64Array): void {
    for (let from = 0; from < count; from += WINDOW_DOCS) {
      const part = docs.subarray(from, Math.min(count, from + WINDOW_DOCS));
      this.#column.read(part, part.length, windowValues);
      for (let i = 0; i < part.length; i++) scores[from + i]! += this.#score(windowValues[i]!);
    }
  }

  next(target: number): number {
    return target < this.#segment.maxDoc ? this.#column.nextDocWithField(target) : NO_MORE_DOCS;
  }

  /** The score of the largest value: scores grow with values. */
  maxScore(from: number, to: number): number {
    const isWindow = to - from <= WINDOW_DOCS;
    const bounds = isWindow ? this.#column.blockBounds(from) : this.#column;
    return bounds === null ? 0 : this.#score(bounds.max);
  }
}
