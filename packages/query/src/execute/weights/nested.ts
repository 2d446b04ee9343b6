import { type BitSet, bitSet, NO_MORE_DOCS, WINDOW_DOCS } from '@shoal/segments';
import type { Matcher, Weight } from '../../matcher.js';
import type { SegmentView } from '../../searcher.js';
import { collectBits, type WindowBuffer, windowBuffer, windowEnd } from '../matchers/gather.js';
import type { PlanOf } from '../plan-of.js';
import { termMatcher } from './term.js';
import { type WeightContext, within } from '../weight-context.js';
import { keepBits } from '../window.kernel.js';

type Nested = PlanOf<'nested'>;

/**
 * Weight of parents whose nested documents match a plan. The score is made of the children's (block join: children
 * precede their parent).
 */
export function nestedWeight(plan: Nested, context: WeightContext): Weight {
  const needsScores = context.needsScores && plan.scoreMode !== 'none';
  const inner = context.weight(plan.plan, {
    ...within(context, plan.boost, needsScores),
    nestedPath: plan.path,
  });
  return {
    matcher: (segment, scored) => {
      const children = inner.matcher(segment, scored && needsScores);
      const own = nestedDocs(segment, plan.path);
      const parents = plan.parentPath === null ? segment.reader.roots : nestedDocs(segment, plan.parentPath);
      if (children === null || own === null || parents === null) return null;
      return new NestedMatcher(plan.scoreMode, children, own, parents, segment);
    },
  };
}

/** Returns the nested documents of a path as bits; null when the segment has none. */
export function nestedDocs({ reader, maxDoc }: SegmentView, path: string): BitSet | null {
  const matcher = termMatcher(reader, '_nested_path', path, null, 0);
  return matcher === null ? null : collectBits(matcher, maxDoc);
}

class NestedMatcher implements Matcher {
  readonly cost: number;
  readonly #mode: Nested['scoreMode'];
  readonly #children: Matcher;
  readonly #own: BitSet;
  readonly #parents: BitSet;
  readonly #segment: SegmentView;
  readonly #buffer: WindowBuffer = windowBuffer();
  /** Parents found in the window; scores and counts of children lie beside them. */
  readonly #found: BitSet;
  readonly #scores: Float64Array;
  readonly #counts: Int32Array;
  /** Nested documents below this number have been processed. */
  #childAt = 0;

  constructor(mode: Nested['scoreMode'], children: Matcher, own: BitSet, parents: BitSet, segment: SegmentView) {
    this.#mode = mode;
    this.#children = children;
    this.#own = own;
    this.#parents = parents;
    this.#segment = segment;
    this.cost = children.cost;
    this.#found = bitSet(WINDOW_DOCS);
    this.#scores = new Float64Array(WINDOW_DOCS);
    this.#counts = new Int32Array(WINDOW_DOCS);
  }

  window(from: number, to: number, docs: Int32Array, scores: Float64Array | null): number {
    const lastParent = this.#parents.previous(to - 1);
    if (lastParent < from) return 0;
    this.#join(from, from, lastParent, scores !== null);
    let count = 0;
    for (let at = this.#found.next(0); at !== NO_MORE_DOCS; at = this.#found.next(at + 1)) {
      docs[count] = from + at;
      if (scores !== null) scores[count] = this.#score(at);
      count++;
      this.#found.clear(at);
      this.#counts[at] = 0;
    }
    return count;
  }

  /** Processes the children of parents from `first` to `last`. Indices in the window count from `base`. */
  #join(base: number, first: number, last: number, scored: boolean): void {
    let from = Math.max(this.#childAt, first === 0 ? 0 : this.#parents.previous(first - 1) + 1);
    while (from < last) {
      const to = windowEnd(from, last);
      this.#joinWindow(base, from, to, scored);
      from = to;
    }
    this.#childAt = Math.max(this.#childAt, last + 1);
  }

  #joinWindow(base: number, from: number, to: number, scored: boolean): void {
    const { docs, scores } = this.#buffer;
    let count = this.#children.window(from, to, docs, scored ? scores : null);
    count = keepBits(this.#own.words, docs, count, scored ? scores : null, 1);
    if (this.#segment.live !== null) count = keepBits(this.#segment.live.words, docs, count, scored ? scores : null, 1);
    for (let i = 0; i < count; i++) this.#take(this.#parents.next(docs[i]!) - base, scored ? scores[i]! : 0);
  }

  #take(at: number, score: number): void {
    const count = this.#counts[at]!++;
    this.#found.set(at);
    if (count === 0) this.#scores[at] = score;
    else if (this.#mode === 'min') this.#scores[at] = Math.min(this.#scores[at]!, score);
    else if (this.#mode === 'max') this.#scores[at] = Math.max(this.#scores[at]!, score);
    else this.#scores[at]! += score;
  }

  #score(at: number): number {
    if (this.#mode === 'none') return 0;
    return Math.fround(this.#mode === 'avg' ? this.#scores[at]! / this.#counts[at]! : this.#scores[at]!);
  }

  filter(docs: Int32Array, count: number, scores: Float64Array | null): number {
    let kept = 0;
    for (let i = 0; i < count; i++) {
      const doc = docs[i]!;
      if (!this.#parents.get(doc)) continue;
      this.#join(doc, doc, doc, scores !== null);
      if (this.#counts[0] === 0) continue;
      docs[kept] = doc;
      if (scores !== null) scores[kept] = scores[i]! + this.#score(0);
      this.#found.clear(0);
      this.#counts[0] = 0;
      kept++;
    }
    return kept;
  }

  next(target: number): number {
    const first = target === 0 ? 0 : this.#parents.previous(target - 1) + 1;
    const child = this.#children.next(Math.max(first, this.#childAt));
    return child === NO_MORE_DOCS ? NO_MORE_DOCS : Math.max(target, this.#parents.next(child));
  }

  maxScore(): number {
    return Infinity;
  }
}
