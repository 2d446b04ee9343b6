import { isPlainObject, type JsonObject, tokenOf } from '@shoal/json';
import { errors, isApiError } from '@shoal/errors';
import type { FieldType } from '@shoal/mapping';
import { hashCode, dateFormat, mixBits, parseDistance, parseGeoPoint, parseTimeValue } from '@shoal/values';
import type { PlanContext } from '../parsed-query.js';
import { shardError } from '../plan-query.js';
import type { ScoreFunction } from '../plan.js';
import { saltOf } from '../execute/weights/random-values.js';
import { parseSearchScript, plannedScript } from '../scripts/segment-script.js';
import type { Searcher } from '../searcher.js';
import { requireColumn } from '../require-column.js';
import { double, float, lastOfList, type OptionPlace, type Reader, readOptions, text } from './options.js';

/** A function of function_score after parsing, before it is bound to a mapping. */
export interface ParsedFunction {
  plan(context: PlanContext): ScoreFunction['function'];
}

type Parser = (body: JsonObject, place: OptionPlace) => ParsedFunction;

/** Parsers of functions by name in the DSL. */
const SCORE_FUNCTIONS: ReadonlyMap<string, Parser> = new Map<string, Parser>([
  ['field_value_factor', fieldValueFactor],
  ['random_score', randomScore],
  ['gauss', (body) => decay('gauss', body)],
  ['exp', (body) => decay('exp', body)],
  ['linear', (body) => decay('linear', body)],
  ['script_score', scriptScore],
]);

/** Parses the function under a key; throws named_object_not_found_exception for one that does not exist. */
export function parseScoreFunction(name: string, body: unknown, place: OptionPlace): ParsedFunction {
  const parser = SCORE_FUNCTIONS.get(name);
  if (!parser) throw unknownFunction(name, place);
  if (!isPlainObject(body)) {
    const kind = Array.isArray(body) ? 'array' : 'field';
    throw errors.parsing(`failed to parse [function_score] query. ${kind} [${name}] is not supported`, {
      location: place,
    });
  }
  return parser(body, place);
}

/** 8.12 looks for functions that are called like the query itself. */
function unknownFunction(name: string, location: OptionPlace): Error {
  const cause = errors.namedObjectNotFound(`unknown field [${name}]`, { location });
  const reason = 'unknown query [function_score] did you mean any of [random_score, script_score]?';
  return errors.parsing(reason, { location, cause });
}

/** Compiles the script of a function; its failure is told as one to load it. */
function loaded(script: Parameters<typeof plannedScript>[0], context: PlanContext): ReturnType<typeof plannedScript> {
  try {
    return plannedScript(script, context);
  } catch (cause) {
    if (!isApiError(cause)) throw cause;
    throw shardError(context.searcher, 'script_score: the script could not be loaded', cause);
  }
}

function scriptScore(body: JsonObject): ParsedFunction {
  const unknown = Object.keys(body).find((key) => key !== 'script');
  if (unknown !== undefined)
    throw errors.parsing(`script_score query does not support [${unknown}]`, {
      location: { container: body, key: unknown },
    });
  if (body['script'] === undefined)
    throw errors.parsing("script_score requires 'script' field", { location: { container: body, at: 'end' } });
  const script = parseSearchScript(body['script'], 'score');
  return {
    plan: (context) => {
      const usesScore = loaded(script, context).uses.variables.has('_score');
      return { kind: 'script', script, usesScore, isQuery: false };
    },
  };
}

/** Parses a text or the last one of a list; nothing where that has none. */
const lastText: Reader<string | undefined> = (_value, { type, container, key }) => {
  const [list, at] = lastOfList(container, key);
  const value = (list as JsonObject)[at];
  return Array.isArray(value) ? undefined : text(value, { type, container: list, key: at });
};

const MODIFIERS = ['NONE', 'LOG', 'LOG1P', 'LOG2P', 'LN', 'LN1P', 'LN2P', 'SQUARE', 'SQRT', 'RECIPROCAL'];

function modifier(value: unknown, place: OptionPlace): string {
  const name = text(value, place).toUpperCase();
  if (MODIFIERS.includes(name)) return name.toLowerCase();
  throw errors.illegalArgument(
    `No enum constant org.elasticsearch.common.lucene.search.function.FieldValueFactorFunction.Modifier.${name}`,
  );
}

function fieldValueFactor(body: JsonObject, place: OptionPlace): ParsedFunction {
  for (const key of Object.keys(body)) {
    if (['field', 'factor', 'modifier', 'missing'].includes(key) || isEmptyValue(body[key])) continue;
    throw errors.parsing(`field_value_factor query does not support [${key}]`, { location: { container: body, key } });
  }
  const options = readOptions('field_value_factor', body, {
    field: lastText,
    factor: float,
    modifier,
    missing: double,
  });
  const { field, missing = null } = options;
  if (field === undefined)
    throw errors.parsing("[field_value_factor] required field 'field' missing", { location: { ...place, at: 'end' } });
  const factor = options.factor ?? 1;
  return {
    plan: ({ searcher }) => {
      if (field === '_id') throw idDisallowed();
      const type = searcher.mapping.field(field);
      if (!type && missing === null)
        throw errors.exception(`Unable to find a field mapper for field [${field}]. No 'missing' value defined.`, {
          status: 400,
        });
      if (type) requireNumbers(type, searcher);
      return {
        kind: 'fieldValueFactor',
        field: type?.name ?? field,
        factor,
        modifier: options.modifier ?? 'none',
        missing,
      };
    },
  };
}

/** What 8.12 passes over in place of an unknown option. */
const isEmptyValue = (value: unknown): boolean => value === null || (Array.isArray(value) && value.length === 0);

function requireNumbers(type: FieldType, searcher: Searcher): void {
  if (type.capabilities.completes)
    throw errors.illegalArgument(`Fielddata is not supported on field [${type.name}] of type [${type.typeName}]`);
  requireColumn(type, searcher);
  if (type.layout?.column === 'long' || type.layout?.column === 'double') return;
  throw errors.illegalArgument(
    `field [${type.name}] is of type [${type.typeName}], but only numeric types are supported.`,
  );
}

function randomScore(body: JsonObject): ParsedFunction {
  for (const key of Object.keys(body)) {
    if (['seed', 'field'].includes(key)) continue;
    throw errors.parsing(`random_score query does not support [${key}]`, { location: { container: body, key } });
  }
  const options = readOptions('random_score', body, { seed, field: text });
  return { plan: (context) => randomPlan(options.seed ?? null, options.field ?? null, context) };
}

function randomPlan(seed: number | null, name: string | null, context: PlanContext): ScoreFunction['function'] {
  const { searcher, now } = context;
  const givenSeed = seed ?? longHash(now());
  const random = { kind: 'random', seed: mixBits(givenSeed, saltOf(searcher)), givenSeed } as const;
  if (seed === null) return { ...random, field: null, valueKind: null };
  if (name === null || name === '_id') throw idDisallowed();
  if (name === '_seq_no') return { ...random, field: name, valueKind: null };
  const type = searcher.mapping.field(name);
  if (type === null)
    throw errors.illegalArgument(
      `Field [${name}] is not mapped on [[${searcher.index}/${searcher.indexUuid}]] and cannot be used as a source ` +
        'of random numbers.',
    );
  requireColumn(type, searcher);
  return { ...random, field: type.name, valueKind: type.valueKind };
}

function idDisallowed(): Error {
  return errors.illegalArgument(
    'Fielddata access on the _id field is disallowed, you can re-enable it by updating the dynamic cluster ' +
      'setting: indices.id_field_data.enabled',
  );
}

/** Parses `seed` to 32 bits; a text is hashed. */
function seed(value: unknown, place: OptionPlace): number {
  if (typeof value === 'string') return hashCode(value);
  if (typeof value === 'bigint' || Number.isInteger(value)) return longHash(value as number | bigint);
  if (isPlainObject(value)) {
    const [key = 'seed'] = Object.keys(value);
    throw errors.parsing(`random_score query does not support [${key}]`, { location: { container: value, key } });
  }
  const kinds = typeof value === 'number' ? 'int, long or string' : 'int/long or string';
  throw errors.parsing(`random_score seed must be an ${kinds}, not '${tokenOf(value)}'`, { location: place });
}

/** A 32-bit whole number as it is; a longer one by Java's hash of longs. */
function longHash(value: number | bigint): number {
  if ((Number(value) | 0) === Number(value)) return Number(value);
  const bits = BigInt.asUintN(64, BigInt(value));
  return Number((bits ^ (bits >> 32n)) & 0xffffffffn) | 0;
}

const VALUE_MODES = ['MIN', 'MAX', 'AVG', 'SUM'];

interface DecayOptions {
  readonly origin: unknown;
  readonly scale: unknown;
  readonly offset: unknown;
  readonly decay: number;
}

/** The last object is the field's. What is in it is parsed on the shard, where the type of the field is known. */
function decay(shape: 'gauss' | 'exp' | 'linear', body: JsonObject): ParsedFunction {
  let field: string | null = null;
  let mode = 'MIN';
  for (const key of Object.keys(body)) {
    if (isPlainObject(body[key])) field = key;
    else if (key === 'multi_value_mode') mode = valueMode(text(body[key], { type: shape, container: body, key }));
    else throw errors.parsing('malformed score function score parameters.', { location: { container: body, key } });
  }
  if (field === null)
    throw errors.parsing('malformed score function score parameters.', { location: { container: body, at: 'end' } });
  const name = field;
  const given = body[name] as JsonObject;
  return { plan: (context) => decayPlan(shape, name, given, mode, context) };
}

const DECAY_KEYS = ['origin', 'scale', 'offset', 'decay'];

function decayOptions(shape: string, body: JsonObject): DecayOptions {
  for (const key of Object.keys(body)) {
    if (!DECAY_KEYS.includes(key)) throw errors.parse(`parameter [${key}] not supported!`);
  }
  const decay =
    body['decay'] === undefined ? 0.5 : double(body['decay'], { type: shape, container: body, key: 'decay' });
  return { origin: body['origin'], scale: body['scale'], offset: body['offset'], decay };
}

function valueMode(name: string): string {
  const upper = name.toUpperCase();
  if (VALUE_MODES.includes(upper)) return upper;
  throw errors.illegalArgument(`Illegal sort mode: ${name}`);
}

function decayPlan(
  shape: 'gauss' | 'exp' | 'linear',
  field: string,
  given: JsonObject,
  multiValueMode: string,
  context: PlanContext,
): ScoreFunction['function'] {
  const type = context.searcher.mapping.field(field);
  if (!type) throw errors.parsing(`unknown field [${field}]`, { meta: START_OF_FUNCTION });
  checkDecayType(type, context);
  const options = decayOptions(shape, given);
  const { origin, scale, offset } = decayValues(type, options, context);
  if (!(scale > 0)) throw errors.illegalArgument('function_score : scale must be > 0.0.');
  if (options.decay <= 0 || options.decay >= 1)
    throw errors.illegalArgument('function_score : decay must be in the range (0..1).');
  if (offset < 0) throw errors.illegalArgument('function_score : offset must be > 0.0');
  return { kind: 'decay', shape, field: type.name, origin, scale, offset, decay: options.decay, multiValueMode };
}

/** Place of errors that 8.12 throws before it reads the function's own JSON. */
const START_OF_FUNCTION = { line: 1, col: 0 };

function checkDecayType(type: FieldType, { searcher }: PlanContext): void {
  requireColumn(type, searcher);
  if (!['geo', 'date', 'long', 'unsigned', 'double', 'boolean'].includes(type.valueKind))
    throw errors.parsing(`field [${type.name}] is of type [${type.typeName}], but only numeric types are supported.`, {
      meta: START_OF_FUNCTION,
    });
}

interface DecayValues {
  readonly origin: number | readonly [lat: number, lon: number];
  readonly scale: number;
  readonly offset: number;
}

function decayValues(type: FieldType, options: DecayOptions, context: PlanContext): DecayValues {
  if (type.valueKind === 'geo') return geoDecay(options);
  if (type.valueKind === 'date') return dateDecay(type, options, context);
  return numberDecay(options);
}

function numberDecay({ origin, scale, offset }: DecayOptions): DecayValues {
  if (origin === undefined || scale === undefined)
    throw errors.parse('both [scale] and [origin] must be set for numeric fields.');
  const number = (value: unknown): number => double(value, { type: 'decay', container: {}, key: '' });
  return { origin: number(origin), scale: number(scale), offset: number(offset ?? 0) };
}

function geoDecay({ origin, scale, offset }: DecayOptions): DecayValues {
  const point = origin === undefined ? undefined : parseGeoPoint(origin)[0];
  if (!point || scale === undefined) throw errors.parse('[origin] and [scale] must be set for geo fields.');
  return {
    origin: [point.lat, point.lon],
    scale: parseDistance(String(scale)),
    offset: offset === undefined ? 0 : parseDistance(String(offset)),
  };
}

function dateDecay(type: FieldType, { origin, scale, offset }: DecayOptions, { now }: PlanContext): DecayValues {
  if (scale === undefined) throw errors.parse('[scale] must be set for date fields.');
  const format = type.format(null, null);
  const at =
    origin === undefined
      ? now()
      : typeof origin === 'string'
        ? dateOrigin(type, origin, now)
        : Number(format.parse(origin));
  return {
    origin: at,
    scale: parseTimeValue(String(scale), 'DecayFunctionParser.scale'),
    offset: offset === undefined ? 0 : parseTimeValue(String(offset), 'DecayFunctionParser.offset'),
  };
}

function dateOrigin(type: FieldType, origin: string, now: () => number): number {
  const pattern = type.toJson(true)['format'];
  return dateFormat(typeof pattern === 'string' ? pattern : 'strict_date_optional_time||epoch_millis').parseRounded(
    origin,
    { roundUp: false, now },
  );
}
