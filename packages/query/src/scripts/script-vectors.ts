import { errors } from '@shoal/errors';
import { formatDouble } from '@shoal/values';
import { numbersOf } from '@shoal/script';
import { type VectorColumn, vectorsOf } from '@shoal/segments';
import type { Searcher, SegmentView } from '../searcher.js';

/** Vector of a query, as a script gave it. */
interface Given {
  readonly from: unknown;
  readonly values: Float64Array;
  readonly length: number;
}

/** A field whose vectors scripts read. */
interface VectorField {
  readonly column: VectorColumn | null;
  readonly dims: number;
  readonly isByte: boolean;
}

/** Functions of scripts that compare a vector with that of a document. */
export type VectorMeasure = 'cosineSimilarity' | 'dotProduct' | 'l1norm' | 'l2norm';

/** The vector of a document as it was indexed. */
export interface DocumentVector {
  readonly values: Float64Array;
  readonly length: number;
}

/** Returns the vector of a document; null if it has none. Vectors that are stored with length 1 get theirs again. */
export function readVector(column: VectorColumn | null, doc: number): DocumentVector | null {
  const row = column?.rowOf(doc) ?? -1;
  if (column === null || row < 0) return null;
  const { dims, element, similarity } = column.layout;
  const { floats, bytes, first, stride } = column.rows(row);
  const at = (row - first) * stride;
  const length = floats[at + stride - 1]!;
  if (element === 'byte') return { values: Float64Array.from(bytes.subarray(4 * at, 4 * at + dims)), length };
  const factor = similarity === 'cosine' ? length : 1;
  return { values: Float64Array.from(floats.subarray(at, at + dims), (value) => Math.fround(value * factor)), length };
}

/** `cosineSimilarity`, `dotProduct`, `l1norm` and `l2norm` of scripts, in one segment. */
export class ScriptVectors {
  readonly #searcher: Searcher;
  readonly #segment: SegmentView;
  readonly #fields = new Map<string, VectorField>();
  #given: Given | null = null;
  /** The document at which the script stands. */
  doc = 0;

  constructor(searcher: Searcher, segment: SegmentView) {
    this.#searcher = searcher;
    this.#segment = segment;
  }

  /** Compares a list of numbers with the document's vector. Throws illegal_argument_exception if it cannot. */
  readonly compare = (measure: VectorMeasure, from: unknown, field: string): number => {
    const { column, dims, isByte } = this.#field(field);
    const given = this.#vector(from, dims, isByte);
    const own = readVector(column, this.doc);
    if (own === null) throw errors.illegalArgument("A document doesn't have a value for a vector field!");
    return MEASURES[measure](given, own);
  };

  #field(name: string): VectorField {
    const known = this.#fields.get(name);
    if (known !== undefined) return known;
    const type = this.#searcher.mapping.field(name);
    if (type === null) throw errors.illegalArgument(`No field found for [${name}] in mapping`);
    const layout = type.layout;
    if (layout?.vectors === undefined)
      throw errors.illegalArgument(`field [${name}] of type [${type.typeName}] has no vectors`);
    const { dims, element } = layout.vectors;
    const field = { column: vectorsOf(this.#segment.reader, layout), dims, isByte: element === 'byte' };
    this.#fields.set(name, field);
    return field;
  }

  #vector(from: unknown, dims: number, isByte: boolean): Given {
    const known = this.#given !== null && this.#given.from === from ? this.#given : readGiven(from);
    this.#given = known;
    if (known.values.length !== dims)
      throw errors.illegalArgument(
        `The query vector has a different number of dimensions [${known.values.length}] than the document vectors ` +
          `[${dims}].`,
      );
    if (isByte) known.values.forEach(checkByte);
    return known;
  }
}

function checkByte(value: number, dim: number): void {
  if (Number.isInteger(value) && value >= -128 && value <= 127) return;
  const [what, found] = Number.isInteger(value)
    ? ['integers between [-128, 127]', 'found']
    : ['non-decimal values', 'found decimal value'];
  throw errors.illegalArgument(
    `element_type [byte] vectors only support ${what} but ${found} [${formatDouble(value)}] at dim [${dim}];`,
  );
}

function readGiven(from: unknown): Given {
  const values = numbersOf(from);
  if (values === null) throw errors.illegalArgument('the query vector is no list of numbers');
  const floats = Float64Array.from(values, Math.fround);
  return { from, values: floats, length: Math.sqrt(floats.reduce((sum, value) => sum + value * value, 0)) };
}

function sumOf(a: Float64Array, b: Float64Array, of: (a: number, b: number) => number): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += of(a[i]!, b[i]!);
  return sum;
}

const dot = ({ values }: Given, own: DocumentVector): number => sumOf(values, own.values, (a, b) => a * b);

const MEASURES: Readonly<Record<VectorMeasure, (given: Given, own: DocumentVector) => number>> = {
  dotProduct: dot,
  cosineSimilarity: (given, own) => dot(given, own) / (given.length * own.length),
  l1norm: ({ values }, own) => sumOf(values, own.values, (a, b) => Math.abs(a - b)),
  l2norm: ({ values }, own) => Math.sqrt(sumOf(values, own.values, (a, b) => (a - b) ** 2)),
};
