import { errors } from '@shoal/errors';
import type { Matcher, Weight } from '../../matcher.js';
import type { PhraseTerm, Plan } from '../../plan.js';
import type { SegmentView } from '../../searcher.js';
import { NO_MORE_DOCS } from '@shoal/segments';
import { keepFollowed } from '../positions/exact-phrase.kernel.js';
import { expandTerms } from './multi-term.js';
import { type PlacePositions, placePositions } from '../positions/phrase-positions.js';
import type { PlanOf } from '../plan-of.js';
import { scoreFreqs } from '../score.kernel.js';
import type { Scratch } from '../scratch.js';
import { scoreOf, type TermScorer, termScorer } from '../similarity.js';
import { SloppyPhrase } from '../positions/sloppy-phrase.js';
import type { WeightContext } from '../weight-context.js';

type Phrase = PlanOf<'phrase'>;

/**
 * Weight of terms at given positions. The score is BM25 of the phrase's frequency and the sum of its terms' inverse
 * document frequencies.
 */
export function phraseWeight(plan: Phrase, context: WeightContext): Weight {
  const places = phrasePlaces(plan, context);
  if (places.length === 1) return context.weight(onePlace(plan, places[0]!), context);
  const scorer = context.needsScores ? scorerOfPhrase(plan, places, context) : null;
  return {
    matcher: (segment, needsScores) =>
      phraseMatcher(plan, places, needsScores ? scorer : null, segment, context.scratch),
  };
}

/**
 * Returns the plan of a phrase with one place. There are no distances to check, so its terms are `should` clauses, as
 * in Lucene's MultiPhraseQuery.
 */
export function onePlace({ field, boost }: Phrase, { terms }: PhraseTerm): Plan {
  const should = terms.map((term): Plan => ({ kind: 'term', field, term, boost: 1 }));
  return { kind: 'bool', must: [], filter: [], should, mustNot: [], minimumShouldMatch: 1, boost };
}

/** Returns the places of a phrase, with the prefix of the last place replaced by the terms that begin with it. */
export function phrasePlaces(plan: Phrase, context: WeightContext): readonly PhraseTerm[] {
  const last = plan.terms[plan.terms.length - 1];
  if (!plan.prefixLast || last === undefined) return plan.terms;
  const terms = new Set(last.terms.flatMap((prefix) => expandPrefix(plan, prefix, context)));
  return [...plan.terms.slice(0, -1), { terms: [...terms].slice(0, plan.maxExpansions), position: last.position }];
}

function expandPrefix(plan: Phrase, prefix: string, context: WeightContext): string[] {
  const match = { kind: 'prefix', prefix, caseInsensitive: false } as const;
  return expandTerms(
    { kind: 'multiTerm', field: plan.field, match, rewrite: 'constant_score', boost: 1 },
    context,
    plan.maxExpansions,
  );
}

/** Returns the scorer of a phrase; null when no document has the field. */
export function scorerOfPhrase(
  plan: Phrase,
  places: readonly PhraseTerm[],
  { statistics, boost }: WeightContext,
): TermScorer | null {
  const field = statistics.field(plan.field);
  if (field === null) return null;
  const terms = places.flatMap((place) => place.terms).filter((term) => statistics.docFreq(plan.field, term) > 0);
  const idf = terms.reduce((sum, term) => sum + statistics.idf(plan.field, term), 0);
  return termScorer(Math.fround(boost * plan.boost), Math.fround(idf), field, () =>
    terms.map((term) => statistics.counts(plan.field, term)),
  );
}

function phraseMatcher(
  plan: Phrase,
  places: readonly PhraseTerm[],
  scorer: TermScorer | null,
  { reader }: SegmentView,
  scratch: Scratch | undefined,
): PhraseMatcher | null {
  const terms = reader.terms(plan.field);
  if (terms === null) return null;
  if (!terms.layout.positions) {
    throw errors.refusedState(`field:[${plan.field}] was indexed without position data; cannot run PhraseQuery`);
  }
  const found: PlacePositions[] = [];
  for (const place of places) {
    const positions = placePositions(terms, place.terms, place.position, scratch);
    if (positions === null) return null;
    found.push(positions);
  }
  if (found.length === 0) return null;
  reader.notePostings?.(plan.field, 'positions');
  return new PhraseMatcher(found, plan.slop, scorer, reader.norms(plan.field)?.bytes ?? null);
}

/** Returns how often a phrase occurs in a document, 0 if it does not; sloppy occurrences count less. */
export function phraseFreq(plan: Phrase, places: readonly PhraseTerm[], segment: SegmentView, doc: number): number {
  const matcher = phraseMatcher(plan, places, null, segment, undefined);
  return matcher === null ? 0 : matcher.freqIn(doc);
}

class PhraseMatcher implements Matcher {
  readonly cost: number;
  readonly #byCost: readonly PlacePositions[];
  readonly #scorer: TermScorer | null;
  readonly #norms: Uint8Array | null;
  readonly #sloppy: SloppyPhrase | null;
  #starts = new Int32Array(64);
  #doc = -1;

  constructor(places: readonly PlacePositions[], slop: number, scorer: TermScorer | null, norms: Uint8Array | null) {
    this.#byCost = [...places].sort((a, b) => a.cost - b.cost);
    this.#scorer = scorer;
    this.#norms = norms;
    this.#sloppy = slop > 0 ? new SloppyPhrase(places, slop) : null;
    this.cost = this.#byCost[0]!.cost;
  }

  /** The first document >= target that has a term for every place. */
  next(target: number): number {
    if (this.#doc >= target) return this.#doc;
    let doc = target;
    for (let i = 0; i < this.#byCost.length; ) {
      const found = this.#byCost[i]!.advance(doc);
      if (found === NO_MORE_DOCS) return (this.#doc = NO_MORE_DOCS);
      if (found === doc) i++;
      else if (i === 0) {
        doc = found;
        i = 1;
      } else {
        doc = found;
        i = 0;
      }
    }
    return (this.#doc = doc);
  }

  /** Returns the frequency in a document that is not before the last one asked for. */
  freqIn(doc: number): number {
    return this.next(doc) === doc ? this.#freq() : 0;
  }

  #freq(): number {
    return this.#sloppy === null ? this.#exactFreq() : this.#sloppy.freq();
  }

  #exactFreq(): number {
    const first = this.#byCost[0]!;
    let count = first.load();
    if (this.#starts.length < count) this.#starts = new Int32Array(count * 2);
    for (let i = 0; i < count; i++) this.#starts[i] = first.positions[i]! - first.offset;
    for (let i = 1; i < this.#byCost.length && count > 0; i++) {
      const place = this.#byCost[i]!;
      const positions = place.load();
      count = keepFollowed(this.#starts, count, place.positions, positions, place.offset);
    }
    return count;
  }

  #score(freq: number, doc: number): number {
    return this.#scorer === null ? 0 : scoreOf(this.#scorer, freq, this.#norms === null ? 1 : this.#norms[doc]!);
  }

  /** Replaces frequencies by scores. */
  #scoreAll(docs: Int32Array, count: number, scores: Float64Array): void {
    const scorer = this.#scorer;
    if (scorer === null || scorer.isConstant) scores.fill(scorer === null ? 0 : scorer.weight, 0, count);
    else if (scorer.model !== null) for (let i = 0; i < count; i++) scores[i] = this.#score(scores[i]!, docs[i]!);
    else scoreFreqs(docs, count, this.#norms, scorer.field.cache, scorer.weight, scores);
  }

  window(from: number, to: number, docs: Int32Array, scores: Float64Array | null): number {
    let count = 0;
    for (let doc = this.next(from); doc < to; doc = this.next(doc + 1)) {
      const freq = this.#freq();
      if (freq === 0) continue;
      docs[count] = doc;
      if (scores !== null) scores[count] = freq;
      count++;
    }
    if (scores !== null) this.#scoreAll(docs, count, scores);
    return count;
  }

  filter(docs: Int32Array, count: number, scores: Float64Array | null): number {
    let kept = 0;
    for (let i = 0; i < count; i++) {
      const doc = docs[i]!;
      if (this.next(doc) !== doc) continue;
      const freq = this.#freq();
      if (freq === 0) continue;
      docs[kept] = doc;
      if (scores !== null) scores[kept] = scores[i]! + this.#score(freq, doc);
      kept++;
    }
    return kept;
  }

  maxScore(): number {
    if (this.#scorer === null) return 0;
    return this.#scorer.model === null ? this.#scorer.weight : Infinity;
  }
}
