import type { PlanOf } from '../execute/plan-of.js';
import { scoreOf, type TermScorer } from '../execute/similarity.js';
import { phrasePlaces, phraseWeight, scorerOfPhrase } from '../execute/weights/phrase.js';
import type { WeightContext } from '../execute/weight-context.js';
import { formatFloat } from '@shoal/values';
import { phraseMatches } from '../highlight/phrase-matches.js';
import { idfOf, weightOfFreq } from './explain-frequency.js';
import { explanation, type ExplainPlace, type Explanation, noMatch, scoreOfDoc } from './explanation.js';
import type { PlanKind } from './plan-kind.js';

function describePhrase({ field, terms, slop, prefixLast }: PlanOf<'phrase'>): string {
  let position = 0;
  const words: string[] = [];
  terms.forEach((place, i) => {
    for (; position < place.position; position++) words.push('?');
    position++;
    const word = place.terms.length === 1 ? place.terms[0]! : `(${place.terms.join(' ')})`;
    words.push(prefixLast && i === terms.length - 1 ? `${word}*` : word);
  });
  return `${field}:"${words.join(' ')}"${slop === 0 ? '' : `~${slop}`}`;
}

function explainPhrase(plan: PlanOf<'phrase'>, context: WeightContext, place: ExplainPlace): Explanation {
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
    place.describe({ ...plan, boost: 1 }),
    plan.field,
    scorer,
    freq,
    idf,
    `phraseFreq=${formatFloat(freq)}`,
    place,
  );
}

/** Returns the frequency that gives a score. Phrase matchers return scores only, so the frequency is computed back. */
function freqOfScore(scorer: TermScorer, score: number, norm: number): number {
  const ratio = scorer.weight / (scorer.weight - score) - 1;
  const freq = ratio / scorer.field.cache[norm]!;
  const near = Math.round(freq * 60) / 60;
  return Math.fround(scoreOf(scorer, near, norm) === score ? near : freq);
}

/** Terms at given positions, or near them. */
export const phraseKind: PlanKind<PlanOf<'phrase'>> = {
  luceneName: 'PhraseQuery',
  weight: phraseWeight,
  describe: describePhrase,
  wrapsBoost: 'never',
  explain: explainPhrase,
  textFinder: (plan) => ({ fields: [plan.field], find: (tokens) => phraseMatches(plan, tokens) }),
  visitScoredTerms({ field, terms }, visit) {
    for (const place of terms) for (const term of place.terms) visit(field, term);
  },
};
