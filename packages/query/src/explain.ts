import { describePlan, formatFloat } from './describe.js';
import { scorerOfPhrase, phrasePlaces } from './execute/weights/phrase.js';
import { PostingsWalk } from './execute/matchers/postings-walk.js';
import { rewrittenTerms } from './execute/weights/multi-term.js';
import { lengthOfNorm, scoreOf, type TermScorer } from './execute/similarity.js';
import { type GlobalStatistics, shardStatistics } from './execute/statistics.js';
import { scorerOfSynonym } from './execute/weights/synonym.js';
import { scorerOfTerm } from './execute/weights/term.js';
import { createWeight, weightOf } from './execute/weight.js';
import { type WeightContext, within } from './execute/weight-context.js';
import type { PlanOf } from './execute/plan-of.js';
import type { Plan } from './plan.js';
import type { Searcher, SegmentView } from './searcher.js';

/** How a score came about, in Elasticsearch's words. */
export interface Explanation {
  readonly match: boolean;
  readonly value: number;
  readonly description: string;
  readonly details: readonly Explanation[];
}

interface Place {
  readonly searcher: Searcher;
  readonly segment: SegmentView;
  /** Number in the segment. */
  readonly doc: number;
}

/** Explains the score of one document of the shard. */
export function explainPlan(
  plan: Plan,
  searcher: Searcher,
  doc: number,
  statistics: GlobalStatistics | null = null,
): Explanation {
  const segment = searcher.segments.findLast((view) => view.docBase <= doc)!;
  const context: WeightContext = {
    searcher,
    statistics: shardStatistics(searcher, statistics),
    boost: 1,
    needsScores: true,
    weight: weightOf,
  };
  return explain(plan, context, { searcher, segment, doc: doc - segment.docBase });
}

/** Score of one document, or null when it does not match. */
export function scoreDoc(plan: Plan, searcher: Searcher, doc: number): number | null {
  const segment = searcher.segments.findLast((view) => view.docBase <= doc)!;
  return scoreOfDoc(createWeight(plan, searcher, { needsScores: true }).matcher(segment, true), doc - segment.docBase);
}

function scoreOfDoc(matcher: ReturnType<ReturnType<typeof createWeight>['matcher']>, doc: number): number | null {
  const scores = new Float64Array(1);
  return matcher !== null && matcher.filter(Int32Array.of(doc), 1, scores) === 1 ? Math.fround(scores[0]!) : null;
}

const explanation = (value: number, description: string, details: readonly Explanation[] = []): Explanation => ({
  match: true,
  value,
  description,
  details,
});
const noMatch = (description: string, details: readonly Explanation[] = []): Explanation => ({
  match: false,
  value: 0,
  description,
  details,
});

function explain(plan: Plan, context: WeightContext, place: Place): Explanation {
  switch (plan.kind) {
    case 'named':
      return explain(plan.plan, context, place);
    case 'term':
      return explainTerm(plan, context, place);
    case 'synonym':
      return explainScored(
        plan,
        scorerOfSynonym(plan, context),
        synonymFreq(plan, place),
        'occurrences of term within document',
        context,
        place,
      );
    case 'phrase':
      return explainPhrase(plan, context, place);
    case 'bool':
      return explainBool(plan, within(context, plan.boost), place);
    case 'disMax':
      return explainDisMax(plan, within(context, plan.boost), place);
    case 'constant':
      return explainConstant(plan, context, place);
    case 'multiTerm':
      return plan.rewrite.startsWith('constant_score')
        ? explainOther(plan, context, place)
        : explain(rewrittenTerms(plan, context), context, place);
    case 'boosting':
      return explainBoosting(plan, context, place);
    case 'nested':
      return explainNested(plan, context, place);
    case 'none':
      return noMatch(plan.reason);
    default:
      return explainOther(plan, context, place);
  }
}

function describe(plan: Plan, place: Place): string {
  return describePlan(plan, { mapping: place.searcher.mapping });
}

/** Plans whose score needs no words but their own. */
function explainOther(plan: Plan, context: WeightContext, place: Place): Explanation {
  const score = scoreOfDoc(context.weight(plan, context).matcher(place.segment, true), place.doc);
  const text = describe(plan, place);
  if (score === null) return noMatch(`${text} doesn't match id ${place.doc}`);
  return explanation(score, text);
}

function walkTo(field: string, term: string, { segment, doc }: Place): PostingsWalk | null {
  const terms = segment.reader.terms(field);
  const ordinal = terms === null ? -1 : terms.lookup(term);
  if (ordinal < 0) return null;
  const walk = new PostingsWalk(terms!.postings(ordinal));
  return walk.advance(doc) === doc ? walk : null;
}

function explainTerm(plan: PlanOf<'term'>, context: WeightContext, place: Place): Explanation {
  const walk = walkTo(plan.field, plan.term, place);
  const scorer = scorerOfTerm(plan, context);
  if (walk === null || scorer === null) return noMatch('no matching term');
  const docFreq = plan.docFreq ?? context.statistics.docFreq(plan.field, plan.term);
  return weightOfFreq(
    `${plan.field}:${plan.term}`,
    plan.field,
    scorer,
    walk.freq(),
    [idfOf(scorer, docFreq)],
    'freq, occurrences of term within document',
    place,
  );
}

function idfOf(scorer: TermScorer, docFreq: number): Explanation {
  return explanation(scorer.idf, 'idf, computed as log(1 + (N - n + 0.5) / (n + 0.5)) from:', [
    explanation(docFreq, 'n, number of documents containing term'),
    explanation(scorer.field.docCount, 'N, total number of documents with field'),
  ]);
}

function weightOfFreq(
  text: string,
  field: string,
  scorer: TermScorer,
  freq: number,
  idf: readonly Explanation[],
  freqText: string,
  place: Place,
): Explanation {
  const norm = place.segment.reader.norms(field)?.get(place.doc) ?? 1;
  const value = scoreOf(scorer, freq, norm);
  const score = explanation(value, `score(freq=${formatFloat(freq)}), computed as boost * idf * tf from:`, [
    ...(scorer.boost === 1 ? [] : [explanation(scorer.boost, 'boost')]),
    ...idf,
    tfOf(scorer, freq, norm, freqText),
  ]);
  return explanation(value, `weight(${text} in ${place.doc}) [PerFieldSimilarity], result of:`, [score]);
}

function tfOf({ field }: TermScorer, freq: number, norm: number, freqText: string): Explanation {
  const { k1, b } = field.parameters;
  const tf = Math.fround(1 - Math.fround(1 / Math.fround(1 + Math.fround(freq * field.cache[norm]!))));
  return explanation(tf, 'tf, computed as freq / (freq + k1 * (1 - b + b * dl / avgdl)) from:', [
    explanation(freq, freqText),
    explanation(Math.fround(k1), 'k1, term saturation parameter'),
    explanation(Math.fround(b), 'b, length normalization parameter'),
    explanation(lengthOfNorm(norm), `dl, length of field${lengthOfNorm(norm) >= 40 ? ' (approximate)' : ''}`),
    explanation(field.averageLength, 'avgdl, average length of field'),
  ]);
}

function synonymFreq(plan: PlanOf<'synonym'>, place: Place): number {
  return plan.terms.reduce((sum, term) => sum + (walkTo(plan.field, term, place)?.freq() ?? 0), 0);
}

function explainScored(
  plan: PlanOf<'synonym'>,
  scorer: TermScorer | null,
  freq: number,
  freqText: string,
  context: WeightContext,
  place: Place,
): Explanation {
  if (scorer === null || freq === 0) return noMatch('no matching term');
  const docFreq = Math.max(...plan.terms.map((term) => context.statistics.docFreq(plan.field, term)));
  return weightOfFreq(
    describe({ ...plan, boost: 1 }, place),
    plan.field,
    scorer,
    freq,
    [idfOf(scorer, docFreq)],
    `freq, ${freqText}`,
    place,
  );
}

function explainPhrase(plan: PlanOf<'phrase'>, context: WeightContext, place: Place): Explanation {
  const places = phrasePlaces(plan, context);
  const scorer = scorerOfPhrase(plan, places, context);
  const score = scoreOfDoc(context.weight(plan, context).matcher(place.segment, true), place.doc);
  if (score === null || scorer === null) return noMatch('no matching phrase');
  const norm = place.segment.reader.norms(plan.field)?.get(place.doc) ?? 1;
  const freq = freqOfScore(scorer, score, norm);
  const terms = places.flatMap((one) => one.terms).filter((term) => context.statistics.docFreq(plan.field, term) > 0);
  const idfs = terms.map((term) =>
    idfOf({ ...scorer, idf: context.statistics.idf(plan.field, term) }, context.statistics.docFreq(plan.field, term)),
  );
  const idf = idfs.length === 1 ? idfs : [explanation(scorer.idf, 'idf, sum of:', idfs)];
  return weightOfFreq(
    describe({ ...plan, boost: 1 }, place),
    plan.field,
    scorer,
    freq,
    idf,
    `phraseFreq=${formatFloat(freq)}`,
    place,
  );
}

/** The frequency that gives a score: scores of phrases are not kept apart from them. */
function freqOfScore(scorer: TermScorer, score: number, norm: number): number {
  const ratio = scorer.weight / (scorer.weight - score) - 1;
  const freq = ratio / scorer.field.cache[norm]!;
  const near = Math.round(freq * 60) / 60;
  return Math.fround(scoreOf(scorer, near, norm) === score ? near : freq);
}

function explainBool(plan: PlanOf<'bool'>, context: WeightContext, place: Place): Explanation {
  const details: Explanation[] = [];
  for (const clause of plan.must) details.push(explain(clause, context, place));
  const missing = details.find((one) => !one.match);
  if (missing !== undefined)
    return isSingle(plan)
      ? missing
      : noMatch('Failure to meet condition(s) of required/prohibited clause(s)', [
          noMatch('no match on required clause', [missing]),
        ]);
  for (const clause of plan.mustNot) {
    const excluded = explain(clause, context, place);
    if (excluded.match)
      return noMatch('Failure to meet condition(s) of required/prohibited clause(s)', [
        noMatch('match on prohibited clause', [excluded]),
      ]);
  }
  const optional = plan.should.map((clause) => explain(clause, context, place)).filter((one) => one.match);
  details.push(...optional);
  for (const clause of plan.filter) {
    const found = explainOther(clause, context, place);
    if (!found.match)
      return noMatch('Failure to meet condition(s) of required/prohibited clause(s)', [
        noMatch('no match on required clause', [found]),
      ]);
    details.push(requiredFilter(clause, place));
  }
  if (optional.length < plan.minimumShouldMatch)
    return noMatch(
      optional.length === 0
        ? 'No matching clauses'
        : `Failure to match minimum number of optional clauses: ${plan.minimumShouldMatch}`,
      details,
    );
  if (isSingle(plan) || (plan.must.length + plan.filter.length === 0 && plan.should.length === 1)) return details[0]!;
  return explanation(
    scoreOfDoc(
      context.weight(plan, { ...context, boost: Math.fround(context.boost / plan.boost) }).matcher(place.segment, true),
      place.doc,
    ) ?? 0,
    'sum of:',
    details,
  );
}

function isSingle(plan: PlanOf<'bool'>): boolean {
  return plan.must.length === 1 && plan.should.length + plan.filter.length + plan.mustNot.length === 0;
}

function requiredFilter(clause: Plan, place: Place): Explanation {
  return explanation(0, 'match on required clause, product of:', [
    explanation(0, '# clause'),
    explanation(1, describe(clause, place)),
  ]);
}

function explainDisMax(plan: PlanOf<'disMax'>, context: WeightContext, place: Place): Explanation {
  const details = plan.plans.map((one) => explain(one, context, place)).filter((one) => one.match);
  if (details.length === 0) return noMatch('No matching clause');
  if (plan.plans.length === 1) return details[0]!;
  const best = Math.max(...details.map((one) => one.value));
  const sum = details.reduce((total, one) => total + one.value, 0);
  const value = Math.fround(best + (sum - best) * Math.fround(plan.tieBreaker));
  return explanation(
    value,
    plan.tieBreaker === 0 ? 'max of:' : `max plus ${formatFloat(plan.tieBreaker)} times others of:`,
    details,
  );
}

function explainConstant(plan: PlanOf<'constant'>, context: WeightContext, place: Place): Explanation {
  const found = explainOther(plan.plan, context, place);
  const text = describe({ ...plan, boost: 1 }, place);
  if (!found.match) return noMatch(`${text} doesn't match id ${place.doc}`);
  const boost = Math.fround(context.boost * plan.boost);
  return explanation(boost, boost === 1 ? text : `${text}^${formatFloat(boost)}`);
}

function explainBoosting(plan: PlanOf<'boosting'>, context: WeightContext, place: Place): Explanation {
  const positive = explain(plan.positive, within(context, plan.boost), place);
  const negative = explainOther(plan.negative, context, place);
  if (!positive.match || !negative.match) return positive;
  const factor = explanation(
    Math.fround(plan.negativeBoost),
    `Matched boosting query score(${describe(plan.negative, place)})`,
  );
  const value = Math.fround(positive.value * Math.fround(plan.negativeBoost));
  return explanation(value, `weight(${describe(plan, place)}), result of:`, [
    explanation(value, 'product of:', [positive, factor]),
  ]);
}

function explainNested(plan: PlanOf<'nested'>, context: WeightContext, place: Place): Explanation {
  const score = scoreOfDoc(context.weight(plan, context).matcher(place.segment, true), place.doc);
  if (score === null) return noMatch('Not a match');
  const parents = place.segment.reader.roots!;
  const first = place.doc === 0 ? 0 : parents.previous(place.doc - 1) + 1;
  const children = matchingChildren(plan, context, place, first);
  const mode = plan.scoreMode.charAt(0).toUpperCase() + plan.scoreMode.slice(1);
  return explanation(
    score,
    `Score based on ${children.length} child docs in range from ${place.segment.docBase + first} to ` +
      `${place.segment.docBase + place.doc - 1}, using score mode ${mode}`,
    children.slice(0, 1),
  );
}

function matchingChildren(plan: PlanOf<'nested'>, context: WeightContext, place: Place, first: number): Explanation[] {
  const children: Explanation[] = [];
  for (let doc = first; doc < place.doc; doc++) {
    const child = explain(plan.plan, within(context, plan.boost), { ...place, doc });
    if (child.match) children.push(child);
  }
  return children.sort((a, b) => b.value - a.value);
}
