import { errors } from '@shoal/errors';
import { type MultiNumbers, type SegmentReader, WINDOW_DOCS } from '@shoal/segments';
import { formatDouble, haversineMeters } from '@shoal/values';
import type { ScoreFunction } from '../../plan.js';
import { fillMissing, firstMissing, firstNegative, MODIFY } from './function-score.kernel.js';

/** Computes one function of function_score in a segment: a value for each of `count` ascending documents. */
export type FunctionValues = (docs: Int32Array, count: number, out: Float64Array) => void;

type Definition = ScoreFunction['function'];
type DefinitionOf<K extends Definition['kind']> = Extract<Definition, { kind: K }>;

/** Binds a function to a segment. */
export function functionValues(definition: Definition, reader: SegmentReader, docBase: number): FunctionValues {
  switch (definition.kind) {
    case 'weight':
      return (_docs, count, out) => void out.fill(1, 0, count);
    case 'fieldValueFactor':
      return fieldValues(definition, reader);
    case 'random':
      return randomValues(definition, reader, docBase);
    case 'decay':
      return decayValues(definition, reader);
  }
}

function fieldValues(
  { field, factor, modifier, missing }: DefinitionOf<'fieldValueFactor'>,
  reader: SegmentReader,
): FunctionValues {
  const column = reader.numbers(field);
  const modify = MODIFY[modifier]!;
  const read: FunctionValues = (docs, count, out) => {
    if (column) column.read(docs, count, out);
    else out.fill(Number.NaN, 0, count);
    if (missing !== null) fillMissing(out, count, missing);
    else if (firstMissing(out, count) >= 0) missingValue(field);
  };
  return (docs, count, out) => {
    read(docs, count, out);
    modify(out, count, factor);
    const refused = firstNegative(out, count);
    if (refused < 0) return;
    const result = out[refused]!;
    read(docs.subarray(refused, refused + 1), 1, out);
    refuse(result, modifier, out[0]!);
  };
}

function missingValue(field: string): never {
  throw errors.exception(`Missing value for field [${field}]`, { status: 400 });
}

function refuse(result: number, modifier: string, value: number): never {
  const hint =
    modifier === 'log' || modifier === 'ln'
      ? `; consider using ${modifier}1p or ${modifier}2p instead of ${modifier} to avoid negative scores`
      : '';
  const reason =
    `field value function must not produce negative scores, but got: [${formatDouble(result)}] for field value: ` +
    `[${formatDouble(value)}]`;
  throw errors.illegalArgument(reason + hint);
}

/** Finaliser of MurmurHash3, over two integers. */
function mix(value: number, seed: number): number {
  let hash = (value ^ seed) | 0;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return hash ^ (hash >>> 16);
}

function hashOf(text: string, seed: number): number {
  let hash = seed;
  for (let i = 0; i < text.length; i++) hash = mix(text.charCodeAt(i), hash + i);
  return hash;
}

/**
 * Returns uniform values in [0, 1), by document or by the value of a field. A field gives the same value on every copy
 * of the shard.
 */
function randomValues({ seed, field }: DefinitionOf<'random'>, reader: SegmentReader, docBase: number): FunctionValues {
  const salt = mix(seed ?? 0, 0x9e3779b9);
  const toUnit = (hash: number): number => (hash & 0xffffff) / 0x1000000;
  const ordinals = field === null ? null : reader.ordinals(field);
  const numbers = field === null ? null : reader.numbers(field);
  const ordinalBuffer = new Int32Array(WINDOW_DOCS);
  return (docs, count, out) => {
    if (numbers) {
      numbers.read(docs, count, out);
      for (let i = 0; i < count; i++) out[i] = toUnit(Number.isNaN(out[i]!) ? salt : hashOf(String(out[i]), salt));
    } else if (ordinals) {
      ordinals.read(docs, count, ordinalBuffer);
      for (let i = 0; i < count; i++)
        out[i] = toUnit(ordinalBuffer[i]! < 0 ? salt : hashOf(ordinals.term(ordinalBuffer[i]!), salt));
    } else
      for (let i = 0; i < count; i++) out[i] = field === null ? toUnit(mix(docBase + docs[i]!, salt)) : toUnit(salt);
  };
}

/**
 * Returns the decay at a distance beyond the offset, for each of the three shapes (Elasticsearch reference, "Decay
 * functions").
 */
function decayAt({ shape, scale, decay }: DefinitionOf<'decay'>): (distance: number) => number {
  if (shape === 'gauss') {
    const variance = (0.5 * scale ** 2) / Math.log(decay);
    return (distance) => Math.exp((0.5 * distance ** 2) / variance);
  }
  if (shape === 'exp') {
    const rate = Math.log(decay) / scale;
    return (distance) => Math.exp(rate * distance);
  }
  const reach = scale / (1 - decay);
  return (distance) => Math.max(0, (reach - distance) / reach);
}

/** Computes the distances of each document's values from the origin, several a document. */
type Distances = (docs: Int32Array, count: number, into: MultiNumbers) => void;

function decayValues(definition: DefinitionOf<'decay'>, reader: SegmentReader): FunctionValues {
  const at = decayAt(definition);
  const distances =
    typeof definition.origin === 'number'
      ? numberDistances(definition.field, definition.origin, reader)
      : geoDistances(definition.field, definition.origin, reader);
  const buffer: MultiNumbers = { starts: new Int32Array(WINDOW_DOCS + 1), values: new Float64Array(WINDOW_DOCS) };
  const reduce = REDUCERS[definition.multiValueMode]!;
  return (docs, count, out) => {
    distances(docs, count, buffer);
    for (let i = 0; i < count; i++) {
      const from = buffer.starts[i]!;
      const to = buffer.starts[i + 1]!;
      for (let k = from; k < to; k++) buffer.values[k] = Math.max(0, buffer.values[k]! - definition.offset);
      out[i] = from === to ? 1 : at(reduce(buffer.values, from, to));
    }
  };
}

/** Functions that reduce the distances of a document to one, by `multi_value_mode`. */
const REDUCERS: Readonly<Record<string, (values: Float64Array, from: number, to: number) => number>> = {
  MIN: (values, from, to) => values.subarray(from, to).reduce((a, b) => Math.min(a, b)),
  MAX: (values, from, to) => values.subarray(from, to).reduce((a, b) => Math.max(a, b)),
  SUM: (values, from, to) => values.subarray(from, to).reduce((a, b) => a + b, 0),
  AVG: (values, from, to) => values.subarray(from, to).reduce((a, b) => a + b, 0) / (to - from),
};

function numberDistances(field: string, origin: number, reader: SegmentReader): Distances {
  const column = reader.numbers(field);
  if (!column) return noDistances;
  return (docs, count, into) => {
    column.readAll(docs, count, into);
    for (let k = 0; k < into.starts[count]!; k++) into.values[k] = Math.abs(into.values[k]! - origin);
  };
}

function geoDistances(field: string, [lat, lon]: readonly [number, number], reader: SegmentReader): Distances {
  const column = reader.geo(field);
  if (!column) return noDistances;
  const lons: MultiNumbers = { starts: new Int32Array(WINDOW_DOCS + 1), values: new Float64Array(WINDOW_DOCS) };
  return (docs, count, into) => {
    column.readAll(docs, count, into, lons);
    for (let k = 0; k < into.starts[count]!; k++)
      into.values[k] = haversineMeters(lat, lon, into.values[k]!, lons.values[k]!);
  };
}

const noDistances: Distances = (_docs, count, into) => void into.starts.fill(0, 0, count + 1);
