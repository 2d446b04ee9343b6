import { oneOf, termsOfField } from '../percolate/required-terms.js';
import type { PlanOf } from '../execute/plan-of.js';
import { onePlace, phraseFreq, phrasePlaces, phraseWeight, scorerOfPhrase } from '../execute/weights/phrase.js';
import type { WeightContext } from '../execute/weight-context.js';
import { formatFloat } from '@shoal/values';
import { segmentTerms } from '../execute/positions/position-lists.js';
import type { SpanTree } from '../execute/positions/span-tree.js';
import { spanSource } from '../execute/weights/span.js';
import type { FieldTokens } from '../highlight/field-text.js';
import { phraseMatches } from '../highlight/phrase-matches.js';
import type { Steps } from '../highlight/steps.js';
import type { TextMatch } from '../highlight/text-match.js';
import { textTerms, within } from '../highlight/text-terms.js';
import { idfOf, weightOfFreq } from './explain-frequency.js';
import { type ExplainPlace } from './explanation.js';
import { explanation, type Explanation, NO_PREFIX, noMatch } from './explanation-tree.js';
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
  if (places.length === 1 && plan.prefixLast && places[0]!.terms.length === 0) return noMatch(NO_PREFIX);
  if (places.length === 1) return place.explain(onePlace(plan, places[0]!), context, place);
  const scorer = scorerOfPhrase(plan, places, context);
  const freq = Math.fround(phraseFreq(plan, places, place.segment, place.doc));
  if (freq === 0 || scorer === null)
    return noMatch(hasAllPlaces(plan.field, places, place) ? 'no matching phrase' : 'no matching terms');
  const terms = places.flatMap((one) => one.terms).filter((term) => context.statistics.docFreq(plan.field, term) > 0);
  const idfs = terms.map((term) =>
    idfOf({ ...scorer, idf: context.statistics.idf(plan.field, term) }, context.statistics.docFreq(plan.field, term)),
  );
  const idf = idfs.length === 1 ? idfs : [explanation(scorer.idf, 'idf, sum of:', idfs)];
  return weightOfFreq(
    place.describe({ ...plan, terms: places, prefixLast: false, boost: 1 }),
    plan.field,
    scorer,
    freq,
    idf,
    `phraseFreq=${formatFloat(freq)}`,
    place,
  );
}

/** Whether a document has a term of each place of a phrase, wherever it stands. */
function hasAllPlaces(
  field: string,
  places: readonly { readonly terms: readonly string[] }[],
  { segment, doc }: ExplainPlace,
): boolean {
  const sources = segmentTerms(segment.reader);
  return places.every(({ terms }) => terms.some((term) => sources(field, term).next(doc) === doc));
}

/** Returns the words of a sloppy phrase where they are near each other in any order, as the plain highlighter does. */
function* nearWords({ field, terms, slop }: PlanOf<'phrase'>, tokens: FieldTokens): Steps<readonly TextMatch[]> {
  if (slop === 0 || terms.length < 2) return [];
  const gaps = Math.max(0, terms.at(-1)!.position - terms[0]!.position - terms.length + 1);
  const clauses = terms.map(({ terms: own }): SpanTree => {
    const words = own.map((term): SpanTree => ({ kind: 'term', term }));
    return words.length === 1 ? words[0]! : { kind: 'or', clauses: words };
  });
  const tree: SpanTree = { kind: 'near', clauses, slop: slop + gaps, inOrder: false };
  const words = terms.flatMap(({ terms: own }) => own);
  return yield* within(tokens, words, spanSource(tree, field, textTerms(tokens)).spans(0));
}

/** Terms at given positions, or near them. */
export const phraseKind: PlanKind<PlanOf<'phrase'>> = {
  requiredTerms({ field, terms, prefixLast }, requirements) {
    const whole = prefixLast ? terms.slice(0, -1) : terms;
    return oneOf(whole.map((place) => termsOfField(field, place.terms, requirements)));
  },
  luceneName: 'PhraseQuery',
  weight: phraseWeight,
  describe: describePhrase,
  wrapsBoost: 'never',
  explain: explainPhrase,
  textFinder: (plan) => ({
    fields: [plan.field],
    find: (tokens) => phraseMatches(plan, tokens),
    *findPlainly(tokens) {
      return [yield* phraseMatches(plan, tokens), yield* nearWords(plan, tokens)].flat();
    },
  }),
  visitScoredTerms({ field, terms }, visit) {
    for (const place of terms) for (const term of place.terms) visit(field, term);
  },
};
