/** Preprocessors of models: texts → numbers, as training saw them. */
import { errors } from '@shoal/errors';

/** Reads a field and writes the features that it becomes. */
export type Encoder = (read: (field: string) => unknown, made: Map<string, unknown>) => void;

type Json = Readonly<Record<string, unknown>>;

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
      Number(body['default_value'] ?? 0),
    );
  if (kind === 'frequency_encoding')
    return lookUp(text(body, 'field'), text(body, 'feature_name'), member(body, 'frequency_map'), 0);
  throw errors.illegalArgument(
    `[${kind}] is not a preprocessor of this version: [one_hot_encoding, target_mean_encoding, frequency_encoding] are`,
  );
}

/** Returns the features that a preprocessor makes, with the field that each is made of. */
export function encodedFields(kind: string, body: Json): ReadonlyMap<string, string> {
  const field = text(body, 'field');
  const features =
    kind === 'one_hot_encoding' ? Object.values(member(body, 'hot_map')).map(String) : [text(body, 'feature_name')];
  return new Map(features.map((feature) => [feature, field]));
}

function oneHot(field: string, map: Json): Encoder {
  const features = Object.entries(map).map(([value, feature]) => [value, String(feature)] as const);
  return (read, made) => {
    const key = keyOf(read(field));
    if (key === null) return;
    for (const [value, feature] of features) made.set(feature, value === key ? 1 : 0);
  };
}

function lookUp(field: string, feature: string, map: Json, fallback: number): Encoder {
  const numbers = new Map(Object.entries(map).map(([value, number]) => [value, Number(number)]));
  return (read, made) => {
    const key = keyOf(read(field));
    if (key !== null) made.set(feature, numbers.get(key) ?? fallback);
  };
}
