import { errors } from '@shoal/errors';
import type { ScoreExplanation } from '@shoal/script';
import { type MultiNumbers, type SegmentReader, WINDOW_DOCS } from '@shoal/segments';
import { formatDouble, haversineMeters } from '@shoal/values';
import type { ScoreFunction } from '../../plan.js';
import { ScriptVectors } from '../../scripts/script-vectors.js';
import { SegmentScript } from '../../scripts/segment-script.js';
import type { Searcher, SegmentView } from '../../searcher.js';
import type { FunctionValues } from './function-values.js';
import { randomValues, ScriptRandom } from './random-values.js';
import { fillMissing, firstMissing, firstNegative, MODIFY } from './function-score.kernel.js';

type Definition = ScoreFunction['function'];
type DefinitionOf<K extends Definition['kind']> = Extract<Definition, { kind: K }>;

/** Binds a function to a segment. A script says in `explanation`, where there is one, how it made its last score. */
export function functionValues(
  definition: Definition,
  searcher: Searcher,
  segment: SegmentView,
  explanation: ScoreExplanation | null = null,
): FunctionValues {
  const { reader, docBase } = segment;
  switch (definition.kind) {
    case 'weight':
      return (_docs, count, out) => void out.fill(1, 0, count);
    case 'fieldValueFactor':
      return fieldValues(definition, reader);
    case 'random':
      return randomValues(definition, reader, docBase);
    case 'decay':
      return decayValues(definition, reader);
    case 'script':
      return scriptValues(definition, searcher, segment, explanation);
  }
}

function scriptValues(
  { script, usesScore, isQuery }: DefinitionOf<'script'>,
  searcher: Searcher,
  segment: SegmentView,
  explanation: ScoreExplanation | null,
): FunctionValues {
  const random = new ScriptRandom(searcher, segment);
  const vectors = new ScriptVectors(searcher, segment);
  const bound = new SegmentScript(script, searcher, segment, [0, random.next, vectors.compare, explanation]);
  return (docs, count, out, scores) => {
    bound.setWindow(docs, count);
    const move = (i: number): number => {
      random.doc = docs[i]!;
      vectors.doc = docs[i]!;
      return usesScore && scores !== null ? scores[i]! : 0;
    };
    bound.each(count, move, (i, value) => {
      out[i] = value as number;
    });
    for (let i = 0; i < count; i++) if (!(out[i]! >= 0)) refuseScore(out[i]!, segment.docBase + docs[i]!, isQuery);
  };
}

function refuseScore(value: number, doc: number, isQuery: boolean): never {
  const shown = formatDouble(value);
  if (isQuery)
    throw errors.illegalArgument(
      `script_score script returned an invalid score [${shown}] for doc [${doc}]. Must be a non-negative score!`,
    );
  if (Number.isNaN(value))
    throw errors.exception(`function score query returned an invalid score: NaN for doc: ${doc}`, { status: 400 });
  throw errors.illegalArgument(`script score function must not produce negative scores, but got: [${shown}]`);
}

function fieldValues(
  { field, factor, modifier, missing }: DefinitionOf<'fieldValueFactor'>,
  reader: SegmentReader,
): FunctionValues {
  const column = reader.numbers(field);
  const modify = MODIFY[modifier]!;
  const read = (docs: Int32Array, count: number, out: Float64Array): void => {
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
