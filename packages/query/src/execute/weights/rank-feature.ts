import { NO_MORE_DOCS, type NumberColumn, WINDOW_DOCS } from '@shoal/segments';
import type { Matcher, Weight } from '../../matcher.js';
import type { Searcher, SegmentView } from '../../searcher.js';
import type { PlanOf } from '../plan-of.js';
import type { WeightContext } from '../weight-context.js';

type FeaturePlan = PlanOf<'rankFeature'>;

/** The score of a feature's value. All arithmetic is of 32-bit floats, as in Lucene's FeatureField. */
type Score = (value: number) => number;

const f = Math.fround;

function scoreOf(plan: FeaturePlan, weight: number, searcher: Searcher): Score {
  const { score } = plan;
  switch (score.kind) {
    case 'linear':
      return (value) => f(weight * value);
    case 'log':
      return (value) => f(weight * Math.log(f(score.scalingFactor + value)));
    case 'saturation': {
      const pivot = pivotOf(plan, searcher);
      // Not value / (value + pivot), so that a score does not decrease with the value by rounding.
      return (value) => f(weight * f(1 - f(pivot / f(value + pivot))));
    }
    default: {
      const powered = Math.pow(score.pivot, score.exponent);
      return (value) => f(weight * (1 - powered / (Math.pow(value, score.exponent) + powered)));
    }
  }
}

const bits = new DataView(new ArrayBuffer(4));

/** Values are kept with nine bits of fraction; Lucene counts them as frequencies by the other bits. */
function frequencyOf(value: number): number {
  bits.setFloat32(0, value);
  return bits.getUint32(0) >>> 15;
}

function valueOfFrequency(frequency: number): number {
  bits.setUint32(0, frequency << 15);
  return bits.getFloat32(0);
}

/**
 * Returns the pivot of a saturation: the one that is given, else the mean of the frequencies of the shard's values,
 * which is about their geometric mean. Deleted documents count.
 */
export function pivotOf({ field, score }: FeaturePlan, searcher: Searcher): number {
  if (score.kind !== 'saturation') return 1;
  if (score.pivot !== null) return score.pivot;
  return searcher.cache.get(`pivot/${field}/${searcher.segments.map(({ version }) => version).join()}`, () => {
    let [sum, count] = [0, 0];
    for (const { reader, maxDoc } of searcher.segments) {
      const column = reader.numbers(field);
      if (column === null) continue;
      eachValue(column, maxDoc, (value) => {
        sum += frequencyOf(value);
        count++;
      });
    }
    return { value: count === 0 ? 1 : valueOfFrequency(Math.trunc(f(sum / count))), bytes: 8 };
  });
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
export function featureOf({ reader }: SegmentView, field: string, doc: number): number {
  const value = new Float64Array(1);
  reader.numbers(field)?.read(Int32Array.of(doc), 1, value);
  return value[0]!;
}

/** Weight of documents with a feature. */
export function rankFeatureWeight(plan: FeaturePlan, context: WeightContext): Weight {
  const weight = f(context.boost * plan.boost);
  let score: Score | null = null;
  return {
    matcher: (segment) => {
      const column = segment.reader.numbers(plan.field);
      if (column === null) return null;
      score ??= context.needsScores ? scoreOf(plan, weight, context.searcher) : () => 0;
      return new FeatureMatcher(segment, column, score);
    },
  };
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
  readonly #score: Score;

  constructor(segment: SegmentView, column: NumberColumn, score: Score) {
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
