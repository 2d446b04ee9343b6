export type { Matcher, Weight } from './matcher.js';
export type { ParseContext, ParsedQuery, PlanContext } from './parsed-query.js';
export type { Plan } from './plan.js';
export { pausesOf } from './searcher.js';
export { ANY_DOCUMENT } from './percolate/required-terms.js';
export { readStoredQuery } from './percolate/stored-query.js';
export type {
  IndexDocuments,
  Pause,
  Progress,
  Searcher,
  SearcherCache,
  SearchSettings,
  SegmentView,
  StoredDocument,
} from './searcher.js';
export { regexpAutomaton } from './automata/regexp.js';
export { parseContext } from './parse/parse-context.js';
export { parseQuery } from './parse/parse-query.js';
export { SourceCache } from './parse/source-cache.js';
export { type GlobalOrdinals, globalOrdinals } from './ordinals/global-ordinals.js';
export { createWeight } from './execute/weight.js';
export type { Preparation, SlowPart } from './execute/weight-context.js';
export { collectBits, windowEnd } from './execute/matchers/gather.js';
export { keepMinScore } from './execute/weights/min-score.kernel.js';
export { columnOf, requestScratch, Scratch } from './execute/scratch.js';
export type { GlobalStatistics } from './execute/statistics.js';
export { isSlowPerDocument } from './plan-clauses.js';
export { isNoneQuery, planQuery, planWithin } from './plan-query.js';
export { PlanSteps } from './plan-steps.js';
export { columnFields, plannedFields } from './runtime/column-fields.js';
export { withRuntime } from './runtime/runtime-searcher.js';
export { type ColumnRequest, withColumns } from './runtime/with-columns.js';
export { planSearch } from './plan-search.js';
export { boolPlan } from './queries/bool.js';
export { parsingAt } from './parse/parse-field.js';
export { describeQuery, mayMatchNested } from './describe.js';
export { explainDoc } from './explain.js';
export { profileQuery } from './profile-plan.js';
export { canMatch } from './plan-facts.js';
export { bindSort } from './sort/bind-sort.js';
export { compareSortValues } from './sort/compare-sort-values.js';
export { isTermValue, shownValue } from './sort/term-value.js';
export { parseSort } from './sort/parse-sort.js';
export type { SegmentKeys, SortKey } from './sort/sort-key.js';
export { isByScore, scriptedTerms, type SortSpec } from './sort/sort-spec.js';
export { TopScores, type TopDocs } from './top-docs/top-scores.js';
export { type PageStart, TopSorted } from './top-docs/top-sorted.js';
export { type FieldLookup, type HitLookups, takeLookups } from './fetch/field-lookups.js';
export { checkInnerHits } from './fetch/inner-hits.js';
export { type InnerSort, innerSort } from './fetch/inner-sort.js';
export { fetchHits, type HitsRequest, parseHitsRequest } from './fetch/fetch-hits.js';
export { checkStoredFields } from './fetch/fetch-spec.js';
export { parseRescore, type QueryRescore, type Rescore } from './rescore.js';
export { type ModelRescore, type RankModel, treesOf } from './rank-model.js';
export { parseKnnSearch } from './search/knn-search.js';
export type { ParsedSearch, WithSearch } from './search/parsed-search.js';
export { checkInBodyOrder, checkSearchKeys, parseSearch } from './search/parse-search.js';
export { withRetriever } from './search/retriever.js';
export type { Collapse } from './search/sections/collapse.js';
export type { ReciprocalRanks } from './search/sections/rank.js';
export type { Slice } from './search/sections/slice.js';
export { checkSuggestions, reduceSuggest, runSuggest, type Suggestions } from './suggest/suggest.js';
export { collectStatistics, decodeStatistics, termCounts } from './collect-statistics.js';
export { type ScriptedField, scriptedField, type ScriptedType } from './runtime/scripted-fields.js';
export { ScriptSourceMap } from './scripts/script-source-map.js';
export { runOnDocument } from './scripts/run-on-document.js';
export {
  compiled as compiledScript,
  parseSearchScript,
  plannedScript,
  type SearchScript,
  SegmentScript,
} from './scripts/segment-script.js';
