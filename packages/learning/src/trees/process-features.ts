import { errors } from '@shoal/errors';
import { encodedFields, type Encoder, inputsOf, parseEncoder } from './encoders.js';
import type { FeatureColumn } from './fit-encoders.js';

type Json = Readonly<Record<string, unknown>>;

/** A preprocessor of a definition, or of an analysis: an object with one member, named for its kind. */
export interface Processor {
  readonly kind: string;
  readonly body: Json;
  readonly encode: Encoder;
  /** Fields that it reads. */
  readonly inputs: readonly string[];
  /** Features that it makes. */
  readonly outputs: readonly string[];
}

/** Features that processors may make. */
const OUTPUTS_MAX = 1000;

/** Parses processors. Throws illegal_argument_exception for an unknown kind, or for too many features. */
export function parseProcessors(list: readonly unknown[]): readonly Processor[] {
  const processors = list.map((one): Processor => {
    const entries = typeof one === 'object' && one !== null ? Object.entries(one as Json) : [];
    const [kind, body] = entries[0] ?? [];
    if (entries.length !== 1 || typeof body !== 'object' || body === null || kind === undefined)
      throw errors.illegalArgument('[feature_processors] must have objects with one member, named for their kind');
    const options = body as Json;
    const encode = parseEncoder(kind, options);
    return {
      kind,
      body: options,
      encode,
      inputs: inputsOf(kind, options),
      outputs: [...encodedFields(kind, options).keys()],
    };
  });
  const names = processors.flatMap(({ outputs }) => outputs);
  if (names.length > OUTPUTS_MAX)
    throw errors.illegalArgument(`[feature_processors] make more than [${OUTPUTS_MAX}] features`);
  const twice = names.find((name, i) => names.indexOf(name) !== i);
  if (twice !== undefined) throw errors.illegalArgument(`[feature_processors] make the feature [${twice}] twice`);
  return processors;
}

/** Value of a column in a row as a document has it; undefined for none. */
export function valueIn(column: FeatureColumn, row: number): unknown {
  if (column.kind === 'number') return Number.isNaN(column.values[row]!) ? undefined : column.values[row]!;
  const code = column.codes[row]!;
  return code < 0 ? undefined : column.texts[code];
}

/** The table with the features of processors instead of the fields that they read. */
export function processFeatures(
  table: readonly FeatureColumn[],
  processors: readonly Processor[],
  rows: number,
): readonly FeatureColumn[] {
  if (processors.length === 0) return table;
  const byName = new Map(table.map((column) => [column.name, column]));
  const read = new Set(processors.flatMap(({ inputs }) => inputs));
  for (const name of read)
    if (!byName.has(name))
      throw errors.status(`field [${name}] of [feature_processors] is not included in the analysis`, { status: 400 });
  const names = processors.flatMap(({ outputs }) => outputs);
  const values = names.map(() => new Array<unknown>(rows));
  for (let row = 0; row < rows; row++) {
    const made = new Map<string, unknown>();
    const valueOf = (name: string): unknown => {
      const column = byName.get(name);
      return made.get(name) ?? (column && valueIn(column, row));
    };
    for (const { encode } of processors) encode(valueOf, made);
    names.forEach((name, i) => (values[i]![row] = made.get(name)));
  }
  return [...table.filter(({ name }) => !read.has(name)), ...names.map((name, i) => columnOf(name, values[i]!))];
}

/** A column of numbers, or of texts if one is a text. */
function columnOf(name: string, values: readonly unknown[]): FeatureColumn {
  if (!values.some((value) => typeof value === 'string'))
    return {
      name,
      kind: 'number',
      values: Float64Array.from(values, (value) => (value === undefined ? Number.NaN : Number(value))),
    };
  const places = new Map<string, number>();
  const codes = Int32Array.from(values, (value) => {
    if (value === undefined) return -1;
    const text = String(value);
    const place = places.get(text) ?? places.size;
    places.set(text, place);
    return place;
  });
  return { name, kind: 'category', codes, texts: [...places.keys()] };
}
