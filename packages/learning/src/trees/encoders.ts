/** Preprocessors of models: texts → numbers, as training saw them. */
import { errors } from '@shoal/errors';
import { type Json, numberIn, textOf } from './json-values.js';

/** Reads a field and writes the features that it becomes. */
export type Encoder = (read: (field: string) => unknown, made: Map<string, unknown>) => void;

function member(body: Json, key: string): Json {
  const value = body[key];
  if (typeof value === 'object' && value !== null) return value as Json;
  throw errors.illegalArgument(`Required [${key}]`);
}

function text(body: Json, key: string): string {
  const value = body[key];
  if (typeof value === 'string' && value !== '') return value;
  throw errors.illegalArgument(`Required [${key}]`);
}

const keyOf = (value: unknown): string | null => {
  const one: unknown = Array.isArray(value) ? value[0] : value;
  return one === undefined || one === null || typeof one === 'object' ? null : String(one);
};

/** Parses a preprocessor. Throws illegal_argument_exception for one that is not supported. */
export function parseEncoder(kind: string, body: Json): Encoder {
  if (kind === 'one_hot_encoding') return oneHot(text(body, 'field'), member(body, 'hot_map'));
  if (kind === 'target_mean_encoding')
    return lookUp(
      text(body, 'field'),
      text(body, 'feature_name'),
      member(body, 'target_map'),
      numberIn(body['default_value'] ?? 0, 'default_value'),
    );
  if (kind === 'frequency_encoding')
    return lookUp(text(body, 'field'), text(body, 'feature_name'), member(body, 'frequency_map'), 0);
  if (kind === 'n_gram_encoding') return nGram(nGramOf(body));
  if (kind === 'multi_encoding') {
    const encoders = processorsOf(body).map(([own, options]) => parseEncoder(own, options));
    return (read, made) => {
      for (const encode of encoders) encode((field) => (made.has(field) ? made.get(field) : read(field)), made);
    };
  }
  throw errors.illegalArgument(
    `[${kind}] is not a preprocessor: [one_hot_encoding, target_mean_encoding, frequency_encoding, n_gram_encoding, ` +
      'multi_encoding] are',
  );
}

/** Preprocessors of a chain: each reads fields, or what those before it made. */
function processorsOf(body: Json): readonly (readonly [kind: string, body: Json])[] {
  const list = body['processors'];
  if (!Array.isArray(list) || list.length === 0) throw errors.illegalArgument('[processors] must not be empty');
  if (list.length > CHAIN_MAX) throw errors.illegalArgument(`[processors] has more than [${CHAIN_MAX}] processors`);
  return list.map((one: unknown) => {
    const [entry, ...more] = Object.entries((one ?? {}) as Json);
    if (entry === undefined || more.length > 0 || entry[0] === 'multi_encoding')
      throw errors.illegalArgument('[processors] must have objects with one member, and no [multi_encoding]');
    return [entry[0], member(one as Json, entry[0])] as const;
  });
}

const CHAIN_MAX = 20;

/** Fields that a preprocessor reads. */
export function inputsOf(kind: string, body: Json): readonly string[] {
  if (kind !== 'multi_encoding') return [text(body, 'field')];
  const made = new Set<string>();
  const inputs = new Set<string>();
  for (const [own, options] of processorsOf(body)) {
    for (const field of inputsOf(own, options)) if (!made.has(field)) inputs.add(field);
    for (const feature of encodedFields(own, options).keys()) made.add(feature);
  }
  return [...inputs];
}

/** Parts of a text: from `start` (behind its end if negative) `length` characters, of which each run of n is one. */
interface NGram {
  readonly field: string;
  readonly prefix: string;
  readonly start: number;
  readonly length: number;
  readonly sizes: readonly number[];
}

const NGRAM_SIZE_MAX = 5;
const NGRAM_LENGTH_MAX = 100;

function nGramOf(body: Json): NGram {
  const [start, length] = [numberIn(body['start'] ?? 0, 'start'), numberIn(body['length'] ?? 50, 'length')];
  if (!Number.isInteger(start)) throw errors.illegalArgument('[start] must be an integer');
  if (!Number.isInteger(length) || length < 1 || length > NGRAM_LENGTH_MAX)
    throw errors.illegalArgument(`[length] must be an integer from 1 to ${NGRAM_LENGTH_MAX}`);
  const sizes = body['n_grams'];
  if (!Array.isArray(sizes) || sizes.length === 0) throw errors.illegalArgument('Required [n_grams]');
  if (!sizes.every((n) => Number.isInteger(n) && n >= 1 && n <= NGRAM_SIZE_MAX))
    throw errors.illegalArgument(`[n_grams] must be integers from 1 to ${NGRAM_SIZE_MAX}`);
  if (sizes.some((n: number) => n > length)) throw errors.illegalArgument('[n_grams] must not be larger than [length]');
  const prefix = typeof body['feature_prefix'] === 'string' ? body['feature_prefix'] : `ngram_${start}_${length}`;
  return { field: text(body, 'field'), prefix, start, length, sizes: [...new Set(sizes as number[])] };
}

function nGramNames({ prefix, length, sizes }: NGram): string[] {
  return sizes.flatMap((n) => Array.from({ length: length - n + 1 }, (_, i) => `${prefix}.${n}${i}`));
}

function nGram({ field, prefix, start, length, sizes }: NGram): Encoder {
  return (read, made) => {
    const key = keyOf(read(field));
    if (key === null) return;
    const from = start < 0 ? Math.max(0, key.length + start) : start;
    const part = key.slice(from, from + length);
    for (const n of sizes)
      for (let i = 0; i + n <= part.length; i++) made.set(`${prefix}.${n}${i}`, part.slice(i, i + n));
  };
}

/** Returns the features that a preprocessor makes, with the field that each is made of. */
export function encodedFields(kind: string, body: Json): ReadonlyMap<string, string> {
  if (kind === 'multi_encoding') return chainedFields(body);
  const field = text(body, 'field');
  if (kind === 'n_gram_encoding') return new Map(nGramNames(nGramOf(body)).map((feature) => [feature, field]));
  const features =
    kind === 'one_hot_encoding'
      ? Object.values(member(body, 'hot_map')).map((name) => textOf(name, 'hot_map'))
      : [text(body, 'feature_name')];
  return new Map(features.map((feature) => [feature, field]));
}

/** Features of a chain that no later preprocessor of it reads, with the field that the first of them read. */
function chainedFields(body: Json): ReadonlyMap<string, string> {
  const made = new Map<string, string>();
  const read = new Set<string>();
  for (const [kind, options] of processorsOf(body)) {
    for (const field of inputsOf(kind, options)) if (made.has(field)) read.add(field);
    for (const [feature, field] of encodedFields(kind, options)) made.set(feature, made.get(field) ?? field);
  }
  for (const field of read) made.delete(field);
  return made;
}

function oneHot(field: string, map: Json): Encoder {
  const features = Object.entries(map).map(([value, feature]) => [value, textOf(feature, 'hot_map')] as const);
  return (read, made) => {
    const key = keyOf(read(field));
    if (key === null) return;
    for (const [value, feature] of features) made.set(feature, value === key ? 1 : 0);
  };
}

function lookUp(field: string, feature: string, map: Json, fallback: number): Encoder {
  const numbers = new Map(
    Object.entries(map).map(([value, number]) => [value, numberIn(number, `value of ${feature}`)]),
  );
  return (read, made) => {
    const key = keyOf(read(field));
    if (key !== null) made.set(feature, numbers.get(key) ?? fallback);
  };
}
