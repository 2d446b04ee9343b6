import { errors, notBoolean } from '@shoal/errors';
import type { MappingOptions } from './mapping-api.js';

/** What parsing a parameter may depend on. */
export interface ParameterContext {
  /** Full path of the field. */
  readonly field: string;
  readonly typeName: string;
  readonly options: MappingOptions;
}

/** One parameter of a field type, in the order in which the mapping API shows them. */
export interface Parameter {
  readonly name: string;
  /** Value if the definition does not set the parameter. */
  readonly byDefault: unknown;
  /** Parses the JSON value; throws if it is not accepted. */
  parse(value: unknown, context: ParameterContext): unknown;
  /** Whether an update may change it from one value to another. */
  canChange(from: unknown, to: unknown): boolean;
  /** Returns why an update is refused, for a parameter with reasons of its own; empty if it is not. */
  conflicts?(from: unknown, to: unknown): readonly string[];
  readonly acceptsNull: boolean;
  /** Renders the value for the mapping API. */
  show(value: unknown): unknown;
  /** Whether it is rendered even if it has its default. */
  readonly isAlwaysShown: boolean;
  /** Whether it is rendered if the definition sets it, even to its default. */
  readonly isShownWhenSet: boolean;
  /** Whether another parameter makes it meaningless, so that it is not rendered. */
  isHidden(value: (parameter: string) => unknown): boolean;
  /** Whether it is not rendered among defaults unless the definition sets it. */
  readonly isHiddenByDefault: boolean;
}

type Options = Partial<
  Pick<Parameter, 'acceptsNull' | 'show' | 'isAlwaysShown' | 'isShownWhenSet' | 'isHidden' | 'isHiddenByDefault'>
> & {
  /** Whether updates may change it; false by default. */
  readonly updates?: boolean | ((from: unknown, to: unknown) => boolean);
};

/** Creates a parameter. By default it cannot be updated and is rendered as it is. */
export function parameter(
  name: string,
  byDefault: unknown,
  parse: Parameter['parse'],
  options: Options = {},
): Parameter {
  const {
    updates = false,
    acceptsNull = false,
    show = (value) => value,
    isAlwaysShown = false,
    isShownWhenSet = false,
    isHiddenByDefault = false,
    isHidden = () => false,
  } = options;
  const canChange = typeof updates === 'function' ? updates : () => updates;
  return {
    name,
    byDefault,
    parse,
    canChange,
    acceptsNull,
    show,
    isAlwaysShown,
    isShownWhenSet,
    isHiddenByDefault,
    isHidden,
  };
}

/**
 * Characters of an array or object in a message, and of a text in it. A mapping of megabytes that is refused would be
 * shown three times in its answer, and written in one go.
 */
const SHOWN_CHARACTERS_MAX = 10_000;

/** A text as far as a message shows it. */
export const shortened = (text: string): string =>
  text.length > SHOWN_CHARACTERS_MAX ? `${text.slice(0, SHOWN_CHARACTERS_MAX)}...` : text;

/** Joins texts, as far as they are shown. */
function joined(entries: readonly unknown[], textOf: (entry: unknown) => string): string {
  let text = '';
  for (const [i, entry] of entries.entries()) {
    if (text.length > SHOWN_CHARACTERS_MAX) return shortened(text);
    text += `${i > 0 ? ', ' : ''}${textOf(entry)}`;
  }
  return shortened(text);
}

/** Returns a value as Java prints it in messages; of large arrays and objects the beginning. */
export function javaText(value: unknown): string {
  const within = (entry: unknown): string => shortened(javaText(entry));
  if (Array.isArray(value)) return `[${joined(value, within)}]`;
  if (typeof value !== 'object' || value === null) return String(value);
  const members = value as Record<string, unknown>;
  return `{${joined(Object.keys(members), (key) => `${key as string}=${within(members[key as string])}`)}}`;
}

/** Parses `true`, `false` and their strings, as Elasticsearch's Booleans.parseBoolean. */
export function parseBoolean(value: unknown): boolean {
  if (value === true || value === 'true') return true;
  if (value === false || value === 'false') return false;
  throw notBoolean(javaText(value));
}

/** Parses a whole number or its text; decimals are truncated. */
export function parseInteger(value: unknown): number {
  if (typeof value === 'number') return Math.trunc(value);
  const text = javaText(value);
  if (!/^[+-]?\d{1,10}$/.test(text)) throw errors.numberFormat(`For input string: "${text}"`);
  return Number(text);
}

/** A parameter that is `true` or `false`. */
export function booleanParameter(name: string, byDefault: boolean, options: Options = {}): Parameter {
  return parameter(name, byDefault, parseBoolean, options);
}

/** A parameter that is a whole number. */
export function integerParameter(name: string, byDefault: number, options: Options = {}): Parameter {
  return parameter(name, byDefault, parseInteger, options);
}

/** A parameter that takes any scalar, as text. */
export function textParameter(name: string, byDefault: string | null, options: Options = {}): Parameter {
  return parameter(name, byDefault, javaText, options);
}

/** A parameter with a choice of words; the error for others lists them in Elasticsearch's order. */
export function choiceParameter(
  name: string,
  byDefault: string,
  accepted: readonly string[],
  options: Options = {},
): Parameter {
  const parse = (value: unknown): unknown => {
    const text = javaText(value);
    if (accepted.includes(text)) return text;
    throw errors.mapperParsing(
      `Unknown value [${text}] for field [${name}] - accepted values are [${accepted.join(', ')}]`,
    );
  };
  return parameter(name, byDefault, parse, options);
}

/** `null_value`: a JSON value that `read` accepts, rendered as given; null if there is none. */
export function nullValueParameter(read: (value: unknown, context: ParameterContext) => unknown): Parameter {
  return parameter('null_value', null, (value, context) => (value === null ? null : read(value, context)), {
    acceptsNull: true,
  });
}

const META_ENTRIES_MAX = 5;
const META_KEY_MAX = 20;
const META_VALUE_MAX = 50;

function javaClass(value: unknown): string {
  if (value === null) return 'null';
  if (typeof value === 'number') return Number.isInteger(value) ? 'Integer' : 'Double';
  if (typeof value === 'boolean') return 'Boolean';
  return Array.isArray(value) ? 'ArrayList' : 'LinkedHashMap';
}

function parseMeta(value: unknown, { field }: ParameterContext): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw errors.mapperParsing(
      `[meta] must be an object, got ${javaClass(value)}[${javaText(value)}] for field [${field}]`,
    );
  }
  const entries = Object.entries(value);
  if (entries.length > META_ENTRIES_MAX)
    throw errors.mapperParsing(`[meta] can't have more than 5 entries, but got ${entries.length} on field [${field}]`);
  for (const [key] of entries) {
    if (key.length > META_KEY_MAX)
      throw errors.mapperParsing(`[meta] keys can't be longer than 20 chars, but got [${key}] for field [${field}]`);
  }
  for (const [, text] of entries) checkMetaValue(text, field);
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
}

function checkMetaValue(text: unknown, field: string): void {
  if (text === null) throw errors.mapperParsing(`[meta] values can't be null (field [${field}])`);
  if (typeof text !== 'string') {
    throw errors.mapperParsing(
      `[meta] values can only be strings, but got ${javaClass(text)}[${javaText(text)}] for field [${field}]`,
    );
  }
  if (text.length > META_VALUE_MAX)
    throw errors.mapperParsing(`[meta] values can't be longer than 50 chars, but got [${text}] for field [${field}]`);
}

/** `meta`: at most five short texts. */
export const meta: Parameter = parameter('meta', Object.freeze({}), parseMeta, { updates: true });

/** `index` true. */
export const index: Parameter = booleanParameter('index', true);

/** `doc_values` true. */
export const docValues: Parameter = booleanParameter('doc_values', true);

/** `store` false: kept in the definition; stored fields are read from `_source`. */
export const store: Parameter = booleanParameter('store', false);

/** `eager_global_ordinals` false; a hint. */
export const eagerGlobalOrdinals: Parameter = booleanParameter('eager_global_ordinals', false, { updates: true });

/** `time_series_dimension` false. */
export const timeSeriesDimension: Parameter = booleanParameter('time_series_dimension', false);

/** `time_series_metric`: gauge, counter or none. */
export const timeSeriesMetric: Parameter = parameter(
  'time_series_metric',
  null,
  (value) => {
    const text = javaText(value);
    if (text === 'gauge' || text === 'counter') return text;
    throw errors.mapperParsing(
      `Unknown value [${text}] for field [time_series_metric] - accepted values are [gauge, counter]`,
    );
  },
  { acceptsNull: true },
);

const BUILT_IN_SIMILARITIES = ['BM25', 'boolean'];

/** `similarity`: BM25, boolean or one of the index settings. */
export const similarity: Parameter = parameter(
  'similarity',
  null,
  (value, { field, options }) => {
    const text = javaText(value);
    if (BUILT_IN_SIMILARITIES.includes(text) || options.similarities?.has(text)) return text;
    throw errors.mapperParsing(`Unknown Similarity type [${text}] for field [${field}]`);
  },
  { acceptsNull: true },
);

function refuseScript(value: unknown, { field, typeName }: ParameterContext): unknown {
  if (value === null) return null;
  throw errors.illegalArgument(
    `[script] on mapper [${field}] of type [${typeName}] is not supported: scripted fields are not available`,
  );
}

/** `script`: anything but null is refused, with the name of the field. */
export const script: Parameter = parameter('script', null, refuseScript, { acceptsNull: true });

/** `on_script_error`: fail or continue. */
export const onScriptError: Parameter = choiceParameter('on_script_error', 'fail', ['fail', 'continue']);

/** `ignore_malformed`: default of the index setting. */
export const ignoreMalformed: Parameter = booleanParameter('ignore_malformed', false, {
  updates: true,
  isShownWhenSet: true,
});

/** `coerce`: true by default. */
export const coerce: Parameter = booleanParameter('coerce', true, { updates: true, isShownWhenSet: true });

/** `ignore_above`: longer values (in UTF-16 units) are not indexed. */
export const ignoreAbove: Parameter = integerParameter('ignore_above', 2147483647, { updates: true });
