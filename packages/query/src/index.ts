export type { Matcher, Weight } from './matcher.js';
export type {
  InnerHitsRequest,
  ParseContext,
  ParsedQuery,
  PlanContext,
  QueryContext,
  QueryType,
} from './parsed-query.js';
export type { GeoArea, PhraseTerm, Plan, ScoreFunction, TermMatch } from './plan.js';
export type { Progress, Searcher, SearcherCache, SearchSettings, SegmentView, StoredDocument } from './searcher.js';
export { regexpAutomaton } from './automata/regexp.js';
export { parseContext } from './parse/parse-context.js';
export { parseQuery } from './parse/parse-query.js';
export { SourceCache } from './parse/source-cache.js';
export { createWeight, type WeightOptions } from './execute/weight.js';
export { collectBits, windowEnd } from './execute/matchers/gather.js';
export { keepFrom } from './execute/weights/min-score.kernel.js';
export { nestedDocs } from './execute/weights/nested.js';
export { columnOf, requestScratch, Scratch } from './execute/scratch.js';
export { fieldCounts, countTerm, type GlobalStatistics, termKey } from './execute/statistics.js';
export { boosted, constant, nothing, planQuery, shardError } from './plan-query.js';
export { boolPlan } from './queries/bool.js';
export { describePlan, describeQuery } from './describe.js';
export { explainPlan, scoreDoc } from './explain.js';
export type { Explanation } from './plans/explanation.js';
export { formatFloat } from './format-float.js';
export { canMatch, profileFacts, visitScoredTerms } from './plan-facts.js';
export { bindSort } from './sort/bind-sort.js';
export { compareSortValues } from './sort/compare-sort-values.js';
export { isTermValue, shownValue } from './sort/term-value.js';
export { parseSort } from './sort/parse-sort.js';
export type { SegmentKeys, SortKey } from './sort/sort-key.js';
export { measurePlan } from './measure-plan.js';
export { isByScore, type SortSpec } from './sort/sort-spec.js';
export { TopScores, type TopDocs } from './top-docs/top-scores.js';
export { type After, TopSorted } from './top-docs/top-sorted.js';
export { type BindOptions, bindHits, type HitsRequest, parseHitsRequest } from './fetch/bind-hits.js';
export { type FetchedDoc, fetchHits, type HitPlan, storedValue } from './fetch/fetch-hits.js';
export {
  type FetchSpec,
  type FieldSpec,
  parseFetchSpec,
  parseSourceSpec,
  type SourceSpec,
} from './fetch/fetch-spec.js';
export { doubleNumber, floatNumber, floatText } from './fetch/float-text.js';
export { sortNumbers, sortText } from './fetch/sort-text.js';
export type { Rescore } from './rescore.js';
export type { ParsedSearch, WithSearch } from './search/parsed-search.js';
export { checkSearchKeys, parseSearch } from './search/parse-search.js';
export type { Collapse } from './search/sections/collapse.js';
export type { Slice } from './search/sections/slice.js';
export { runSuggest } from './suggest/suggest.js';
