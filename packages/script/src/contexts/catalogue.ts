import type { AllowTable } from '../painless/allow/class-row.js';
import { ANALYZED_TOKENS } from '../painless/allow/analyzed-tokens.js';
import { EXPLANATIONS } from '../painless/allow/explanations.js';
import { EXTRACT } from '../painless/allow/extract.js';
import { FIELD_OBJECTS } from '../painless/allow/field-objects.js';
import { FUNCTIONS } from '../painless/allow/functions.js';
import { INTERVALS } from '../painless/allow/intervals.js';
import { LANG } from '../painless/allow/lang.js';
import { BIT_SET } from '../painless/allow/bit-set.js';
import { CALENDAR } from '../painless/allow/calendar.js';
import { FUNCTION_DEFAULTS } from '../painless/allow/function-defaults.js';
import { LIST_ITERATORS } from '../painless/allow/list-iterators.js';
import { BOXES_AND_PATTERNS } from '../painless/allow/boxes-and-patterns.js';
import { SORTED_COLLECTIONS } from '../painless/allow/sorted-collections.js';
import { DEQUES_AND_RANDOM } from '../painless/allow/deques-and-random.js';
import { BITS_AND_ROUNDING } from '../painless/allow/bits-and-rounding.js';
import { CODE_POINTS } from '../painless/allow/code-points.js';
import { HEX_FLOATS } from '../painless/allow/hex-floats.js';
import { STREAM_BUILDERS } from '../painless/allow/stream-builders.js';
import { DECIMAL_SYMBOLS } from '../painless/allow/decimal-symbols.js';
import { FORMATS } from '../painless/allow/formats.js';
import { LOCALES } from '../painless/allow/locale.js';
import { BIG_NUMBERS } from '../painless/allow/big-numbers.js';
import { MATH_NUMBERS } from '../painless/allow/math-numbers.js';
import { MOVING_FUNCTIONS } from '../painless/allow/moving-functions.js';
import { SIMILARITIES } from '../painless/allow/similarities.js';
import { SEARCH } from '../painless/allow/search.js';
import { COLLECTORS } from '../painless/allow/collectors.js';
import { STREAMS } from '../painless/allow/streams.js';
import { TEXT } from '../painless/allow/text.js';
import { CHRONOLOGY } from '../painless/allow/time/chrono.js';
import { TIME } from '../painless/allow/time/time.js';
import { FORMATTER_BUILDER } from '../painless/allow/time/formatter-builder.js';
import { WEEK_FIELDS } from '../painless/allow/time/week-fields.js';
import { ZONE_RULES } from '../painless/allow/time/zone-rules.js';
import { UNICODE } from '../painless/allow/unicode.js';
import { ABSTRACT_COLLECTIONS } from '../painless/allow/abstract-collections.js';
import { CONSTANTS } from '../painless/allow/constants.js';
import { UTIL_CLASSES } from '../painless/allow/util-classes.js';
import { UTIL } from '../painless/allow/util.js';
import { DIGESTS_AND_JSON } from '../painless/allow/digests-and-json.js';
import { INGEST_PROCESSORS } from '../painless/allow/ingest-processors.js';
import {
  FOUND_DOCUMENT,
  INGESTED_DOCUMENT,
  REINDEXED_DOCUMENT,
  UPDATED_DOCUMENT,
} from '../painless/allow/write-fields.js';
import { STRING, type Type } from '../painless/types.js';
import { RANDOM_SCORES, SCORE_FUNCTIONS, VECTOR_FUNCTIONS } from './score-functions.js';
import { fieldResult, textResult } from './script-results.js';
import { FIELD_FUNCTIONS } from './emit-functions.js';
import { FIELD_ACCESS } from './field-functions.js';
import { PIPELINE_FIELDS, REINDEXED_FIELDS, SOURCE_FIELDS } from './write-functions.js';
import { SCORED_CLASSES } from '../runtime/scored.js';
import { TOKEN_CLASS } from '../runtime/analyzed-token.js';
import { EXPLANATION_CLASS } from '../runtime/score-explanation.js';
import { INTERVAL_CLASS } from '../runtime/interval.js';
import { aggregatedValues, wholeNumber } from './aggregated-values.js';
import type { ContextFunction, ScriptContext } from './context.js';

const MAP = 'java.util.Map';
const EVERYWHERE: readonly AllowTable[] = [
  LANG,
  MATH_NUMBERS,
  TEXT,
  FUNCTIONS,
  UTIL,
  TIME,
  CHRONOLOGY,
  WEEK_FIELDS,
  FORMATTER_BUILDER,
  ZONE_RULES,
  LOCALES,
  BIG_NUMBERS,
  FORMATS,
  DECIMAL_SYMBOLS,
  UTIL_CLASSES,
  CALENDAR,
  BIT_SET,
  FUNCTION_DEFAULTS,
  LIST_ITERATORS,
  BOXES_AND_PATTERNS,
  BITS_AND_ROUNDING,
  CODE_POINTS,
  UNICODE,
  HEX_FLOATS,
  STREAM_BUILDERS,
  ABSTRACT_COLLECTIONS,
  SORTED_COLLECTIONS,
  DEQUES_AND_RANDOM,
  CONSTANTS,
  SEARCH,
  FIELD_OBJECTS,
  STREAMS,
  COLLECTORS,
];

function row(
  name: string,
  result: Type,
  variables: readonly (readonly [name: string, type: Type])[],
  functions: readonly ContextFunction[] = [],
  allow: readonly AllowTable[] = [],
): ScriptContext {
  return {
    name,
    result,
    variables: [['params', MAP] as const, ...variables].map(([variable, type]) => ({ name: variable, type })),
    functions,
    allow: [...EVERYWHERE, ...allow],
  };
}

const CTX = ['ctx', MAP] as const;
/** When the run began, which `metadata().now` tells; no name of a script leads to it. */
const NOW = ['#now', 'def'] as const;
const DOC = ['doc', MAP] as const;
const SCORE = ['_score', 'double'] as const;
const STATE = ['state', 'def'] as const;
const EMIT = ['#emit', 'def'] as const;

const SCORED = [
  ['query', SCORED_CLASSES.query],
  ['field', SCORED_CLASSES.field],
  ['term', SCORED_CLASSES.term],
] as const;
const DOCUMENT = ['doc', SCORED_CLASSES.doc] as const;

/** Of scripts whose variables and results stay values of scripts: another script, or the host, goes on with them. */
const keeping = (context: ScriptContext): ScriptContext => ({ ...context, leaves: (result) => result });

/** Of scripts that get no parameters. */
const withoutParameters = (context: ScriptContext): ScriptContext => ({
  ...context,
  variables: context.variables.filter(({ name }) => name !== 'params'),
});

/** The places where scripts run, by name. A call's frame holds the variables in this order. */
const CONTEXTS: readonly ScriptContext[] = [
  { ...row('painless_test', 'def', []), leaves: textResult },
  row('update', 'void', [CTX, NOW], SOURCE_FIELDS, [DIGESTS_AND_JSON, UPDATED_DOCUMENT]),
  row('update_by_query', 'void', [CTX, NOW], SOURCE_FIELDS, [DIGESTS_AND_JSON, FOUND_DOCUMENT]),
  row('reindex', 'void', [CTX], REINDEXED_FIELDS, [DIGESTS_AND_JSON, REINDEXED_DOCUMENT]),
  row('ingest', 'void', [CTX, NOW], PIPELINE_FIELDS, [DIGESTS_AND_JSON, INGEST_PROCESSORS, INGESTED_DOCUMENT]),
  row('processor_conditional', 'boolean', [CTX]),
  row('filter', 'boolean', [DOC], FIELD_ACCESS),
  {
    ...row(
      'score',
      'double',
      [DOC, SCORE, ['#random', 'def'], ['#vectors', 'def'], ['explanation', EXPLANATION_CLASS]],
      [...SCORE_FUNCTIONS, ...RANDOM_SCORES, ...VECTOR_FUNCTIONS, ...FIELD_ACCESS],
      [EXPLANATIONS],
    ),
    parameterCount: 1,
  },
  { ...row('field', 'def', [DOC], FIELD_ACCESS), leaves: fieldResult },
  row('number_sort', 'double', [DOC, SCORE], FIELD_ACCESS),
  { ...row('string_sort', STRING, [DOC, SCORE], FIELD_ACCESS), leaves: aggregatedValues },
  keeping(row('aggs', 'def', [DOC, ['_value', 'def'], SCORE], FIELD_ACCESS)),
  keeping(row('aggs_init', 'void', [STATE])),
  keeping(row('aggs_map', 'void', [DOC, STATE, SCORE], FIELD_ACCESS)),
  { ...row('aggs_combine', 'def', [STATE]), maxMs: 250 },
  { ...row('aggs_reduce', 'def', [['states', 'java.util.List']]), maxMs: 250 },
  { ...row('terms_set', 'java.lang.Number', [DOC], FIELD_ACCESS), leaves: wholeNumber },
  withoutParameters(row('interval', 'boolean', [['interval', INTERVAL_CLASS]], [], [INTERVALS])),
  {
    ...withoutParameters(row('similarity', 'double', [['weight', 'double'], ...SCORED, DOCUMENT], [], [SIMILARITIES])),
    parameterCount: 5,
  },
  {
    ...withoutParameters(row('similarity_weight', 'double', SCORED, [], [SIMILARITIES])),
    parameterCount: 3,
  },
  withoutParameters(row('analysis', 'boolean', [['token', TOKEN_CLASS]], [], [ANALYZED_TOKENS])),
  { ...row('script_heuristic', 'double', []), parameterCount: 1 },
  row('bucket_aggregation', 'def', []),
  row('aggregation_selector', 'boolean', []),
  { ...row('moving-function', 'double', [['values', 'double[]']], [], [MOVING_FUNCTIONS]), parameterCount: 2 },
  row('template', STRING, []),
  ...FIELD_FUNCTIONS.map(([name, functions]) =>
    row(name, 'void', [DOC, EMIT], [...functions, ...FIELD_ACCESS], [EXTRACT]),
  ),
];

const BY_NAME: ReadonlyMap<string, ScriptContext> = new Map(CONTEXTS.map((context) => [context.name, context]));

/** Returns a context by its name; null for an unknown one. */
export function scriptContext(name: string): ScriptContext | null {
  return BY_NAME.get(name) ?? null;
}

/** Names of all contexts. */
export const CONTEXT_NAMES: readonly string[] = CONTEXTS.map(({ name }) => name);
