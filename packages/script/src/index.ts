export { compile, isScriptLanguage } from './compile.js';
export type { CompiledScript } from './compiled-script.js';
export {
  type AggregatedValue,
  aggregatedNumber,
  aggregatedText,
  aggregatedValues,
  plainNumber,
} from './contexts/aggregated-values.js';
export { CONTEXT_NAMES, scriptContext } from './contexts/catalogue.js';
export { type ContextInfo, describeContext } from './painless/allow/describe-context.js';
export { compileTemplate, type Template } from './mustache/compile-template.js';
export { TEMPLATE_CONTEXTS } from './mustache/mustache-script.js';
export { installScriptEnvironment, type ScriptEnvironment } from './runtime/environment.js';
export { type InlineScript, isInline, readScript, type ScriptSource } from './script-source.js';
export { type FieldKind, type FieldSource, FieldValues } from './runtime/field-values.js';
export { readOnlyView } from './runtime/read-only-view.js';
export { stepLimit } from './runtime/regex/backtracking-regex.js';
export {
  filledReplacement,
  parseReplacement,
  type ReplacementPart,
  splitAtMatches,
} from './runtime/regex/java-replacement.js';
export type { TextMatcher } from './runtime/regex/text-matcher.js';
export { compileTextRegex } from './runtime/regex/text-regex.js';
export { type IngestFunctions, provideIngestFunctions } from './painless/allow/ingest-processors.js';
export { rememberExecution } from './runtime/budget.js';
export { BytesValue } from './runtime/bytes-value.js';
export { IntervalValue } from './runtime/interval.js';
export { ScoreExplanation } from './runtime/score-explanation.js';
export { GeoPointValue } from './runtime/geo-point.js';
export { UtcDate } from './runtime/utc-date.js';
export { HostMap } from './runtime/values.js';
export { WriteContext } from './runtime/write-context.js';
export { StateMap } from './runtime/state-map.js';
export { boxDouble, boxLong } from './runtime/boxes.js';
export { sizeOf } from './runtime/size-of.js';
export { textOf } from './runtime/java-text.js';
export { illegalArgument } from './runtime/thrown.js';
export { parseStoredScript, type StoredScript } from './stored-script.js';
export { StoredScripts, withStoredScripts } from './stored-scripts.js';
export { doubleArray, floatArray, numbersOf } from './runtime/double-array.js';
export type { BoundScript } from './compiled-script.js';
export type { Cell, CellKind } from './runtime/cell.js';
export type { ScriptStats } from './limits/script-caches.js';
export { allowedScripts, checkScriptType, limitScripts, type ScriptType, scriptStats } from './limits/script-limits.js';
export {
  allowedScriptsProblem,
  type ReadSetting,
  readScriptLimits,
  SETTING_CONTEXTS,
  scriptCachesProblem,
} from './limits/script-settings.js';
export {
  checkSimilarityScripts,
  type ScoredCounts,
  ScriptedSimilarity,
} from './similarity/scripted-similarity.js';
export { compileTokenPredicate } from './token-predicate.js';
export { EXPRESSION_CONTEXTS } from './expression/expression-script.js';
