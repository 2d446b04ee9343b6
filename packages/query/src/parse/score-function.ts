import { isPlainObject, type JsonObject } from '@shoal/json';
import { errors } from '@shoal/errors';
import type { FieldType } from '@shoal/mapping';
import { dateFormat, parseDistance, parseGeoPoint, parseTimeValue } from '@shoal/values';
import type { PlanContext } from '../parsed-query.js';
import type { ScoreFunction } from '../plan.js';
import { shardError } from '../plan-query.js';
import { any, double, float, type OptionPlace, readOptions, text } from './options.js';

/** A function of function_score after parsing, before it is bound to a mapping. */
export interface ParsedFunction {
  plan(context: PlanContext): ScoreFunction['function'];
}

type Parser = (body: JsonObject, place: OptionPlace) => ParsedFunction;

/** Parsers of functions by name in the DSL. */
export const SCORE_FUNCTIONS: ReadonlyMap<string, Parser> = new Map<string, Parser>([
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
  if (!parser) throw errors.namedObjectNotFound(`unknown field [${name}]`, { location: place });
  if (!isPlainObject(body))
    throw errors.parsing(`failed to parse [function_score] query. field [${name}] is not supported`, {
      location: place,
    });
  return parser(body, place);
}

function scriptScore(_body: JsonObject, place: OptionPlace): ParsedFunction {
  throw errors.parsing('[script_score] is not supported: scripts are not available in search', { location: place });
}

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
    if (['field', 'factor', 'modifier', 'missing'].includes(key)) continue;
    throw errors.parsing(`field_value_factor query does not support [${key}]`, { location: { container: body, key } });
  }
  const options = readOptions('field_value_factor', body, { field: text, factor: float, modifier, missing: double });
  const { field, missing = null } = options;
  if (field === undefined)
    throw errors.parsing("[field_value_factor] required field 'field' missing", { location: { ...place, at: 'end' } });
  const factor = options.factor ?? 1;
  return {
    plan: ({ searcher }) => {
      const type = searcher.mapping.field(field);
      if (!type && missing === null)
        throw errors.exception(`Unable to find a field mapper for field [${field}]. No 'missing' value defined.`, {
          status: 400,
        });
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

function randomScore(body: JsonObject): ParsedFunction {
  const options = readOptions('random_score', body, { seed, field: text });
  return {
    plan: (context) => {
      const given = options.field ?? null;
      if (options.seed !== undefined && (given === null || given === '_id')) throw idDisallowed();
      const field = given === null || given === '_seq_no' ? given : context.searcher.mapping.field(given)?.name;
      if (field === undefined)
        throw shardError(
          context.searcher,
          `failed to create query: Field [${given}] is not mapped on ` +
            `[[${context.searcher.index}/${context.searcher.indexUuid}]] and cannot be used as a source of random ` +
            'numbers.',
        );
      return { kind: 'random', seed: options.seed ?? Math.trunc(context.now() % 0x7fffffff), field };
    },
  };
}

function idDisallowed(): Error {
  return errors.illegalArgument(
    'Fielddata access on the _id field is disallowed, you can re-enable it by updating the dynamic cluster ' +
      'setting: indices.id_field_data.enabled',
  );
}

/** Parses `seed` to 32 bits; a text is hashed. */
function seed(value: unknown, place: OptionPlace): number {
  if (typeof value === 'number' && Number.isInteger(value)) return (value ^ Math.trunc(value / 2 ** 32)) | 0;
  const characters = text(value, place);
  let hash = 0;
  for (let i = 0; i < characters.length; i++) hash = (Math.imul(hash, 31) + characters.charCodeAt(i)) | 0;
  return hash;
}

const VALUE_MODES = ['MIN', 'MAX', 'AVG', 'SUM'];

interface DecayOptions {
  readonly origin: unknown;
  readonly scale: unknown;
  readonly offset: unknown;
  readonly decay: number;
}

function decay(shape: 'gauss' | 'exp' | 'linear', body: JsonObject): ParsedFunction {
  const field = Object.keys(body).find((key) => isPlainObject(body[key]));
  const mode =
    body['multi_value_mode'] === undefined
      ? 'MIN'
      : valueMode(text(body['multi_value_mode'], { type: shape, container: body, key: 'multi_value_mode' }));
  for (const key of Object.keys(body)) {
    if (key !== field && key !== 'multi_value_mode')
      throw errors.parsing('malformed score function score parameters.', { location: { container: body, key } });
  }
  if (field === undefined)
    throw errors.parsing('malformed score function score parameters.', { location: { container: body } });
  const given = readOptions(shape, body[field] as JsonObject, { origin: any, scale: any, offset: any, decay: double });
  const options = { origin: given.origin, scale: given.scale, offset: given.offset, decay: given.decay ?? 0.5 };
  return { plan: (context) => decayPlan(shape, field, options, mode, context) };
}

function valueMode(name: string): string {
  const upper = name.toUpperCase();
  if (VALUE_MODES.includes(upper)) return upper;
  throw errors.illegalArgument(`Illegal sort mode: ${name}`);
}

function decayPlan(
  shape: 'gauss' | 'exp' | 'linear',
  field: string,
  options: DecayOptions,
  multiValueMode: string,
  context: PlanContext,
): ScoreFunction['function'] {
  const type = context.searcher.mapping.field(field);
  if (!type) throw errors.parsing(`unknown field [${field}]`);
  const { origin, scale, offset } = decayValues(type, options, context);
  if (!(scale > 0)) throw errors.illegalArgument('function_score : scale must be > 0.0.');
  if (options.decay <= 0 || options.decay >= 1)
    throw errors.illegalArgument('function_score : decay must be in the range (0..1).');
  if (offset < 0) throw errors.illegalArgument('function_score : offset must be > 0.0');
  return { kind: 'decay', shape, field: type.name, origin, scale, offset, decay: options.decay, multiValueMode };
}

interface DecayValues {
  readonly origin: number | readonly [lat: number, lon: number];
  readonly scale: number;
  readonly offset: number;
}

function decayValues(type: FieldType, options: DecayOptions, context: PlanContext): DecayValues {
  if (type.valueKind === 'geo') return geoDecay(options);
  if (type.valueKind === 'date') return dateDecay(type, options, context);
  if (type.valueKind === 'long' || type.valueKind === 'unsigned' || type.valueKind === 'double')
    return numberDecay(options);
  throw errors.parsing(`field [${type.name}] is of type [${type.typeName}], but only numeric types are supported.`);
}

function numberDecay({ origin, scale, offset }: DecayOptions): DecayValues {
  if (origin === undefined || scale === undefined)
    throw errors.parse('both [scale] and [origin] must be set for numeric fields.');
  return { origin: Number(origin), scale: Number(scale), offset: Number(offset ?? 0) };
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
