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
  /** Holds the vector of the document at which the script stands. */
  readonly own: Float64Array;
}

/** Functions of scripts that compare a vector with that of a document. */
export type VectorMeasure = 'cosineSimilarity' | 'dotProduct' | 'l1norm' | 'l2norm';

/** The vector of a document as it was indexed. */
export interface DocumentVector {
  readonly values: Float64Array;
  readonly length: number;
}

/** Returns the vector of a document; null if it has none. */
export function readVector(column: VectorColumn | null, doc: number): DocumentVector | null {
  const values = new Float64Array(column?.layout.dims ?? 0);
  const length = readInto(values, column, doc);
  return length === NO_VECTOR ? null : { values, length };
}

const NO_VECTOR = -1;

/**
 * Reads the vector of a document into `values`; returns its length, or NO_VECTOR. Vectors that are stored with length 1
 * get theirs again. Plain loops: a callback for each element cost 20 us a vector of 100 dimensions.
 */
function readInto(values: Float64Array, column: VectorColumn | null, doc: number): number {
  const row = column?.rowOf(doc) ?? -1;
  if (column === null || row < 0) return NO_VECTOR;
  const { dims, element, similarity } = column.layout;
  const { floats, bytes, first, stride } = column.rows(row);
  const at = (row - first) * stride;
  const length = floats[at + stride - 1]!;
  const factor = similarity === 'cosine' ? length : 1;
  if (element === 'byte') for (let i = 0; i < dims; i++) values[i] = bytes[4 * at + i]!;
  else for (let i = 0; i < dims; i++) values[i] = Math.fround(floats[at + i]! * factor);
  return length;
}

/** `cosineSimilarity`, `dotProduct`, `l1norm` and `l2norm` of scripts, in one segment. */
export class ScriptVectors {
  readonly #searcher: Searcher;
  readonly #segment: SegmentView;
  readonly #fields = new Map<string, VectorField>();
  #given: Given | null = null;
  /** The vector of a query that was found to have bytes only. */
  #checked: Given | null = null;
  /** The document at which the script stands. */
  doc = 0;

  constructor(searcher: Searcher, segment: SegmentView) {
    this.#searcher = searcher;
    this.#segment = segment;
  }

  /** Compares a list of numbers with the document's vector. Throws illegal_argument_exception if it cannot. */
  readonly compare = (measure: VectorMeasure, from: unknown, field: string): number => {
    const { column, dims, isByte, own } = this.#field(field);
    const given = this.#vector(from, dims, isByte);
    const length = readInto(own, column, this.doc);
    if (length === NO_VECTOR) throw errors.illegalArgument("A document doesn't have a value for a vector field!");
    return MEASURES[measure](given, own, length);
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
    const column = vectorsOf(this.#segment.reader, layout);
    const field = { column, dims, isByte: element === 'byte', own: new Float64Array(dims) };
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
    if (isByte) this.#checkBytes(known);
    return known;
  }

  #checkBytes(given: Given): void {
    if (this.#checked === given) return;
    given.values.forEach(checkByte);
    this.#checked = given;
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

function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i]! * b[i]!;
  return sum;
}

function sumOfDifferences(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += Math.abs(a[i]! - b[i]!);
  return sum;
}

function sumOfSquares(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += (a[i]! - b[i]!) ** 2;
  return sum;
}

/** Compares the vector of a query with that of a document, whose length is given. */
type Measure = (given: Given, own: Float64Array, length: number) => number;

const MEASURES: Readonly<Record<VectorMeasure, Measure>> = {
  dotProduct: ({ values }, own) => dot(values, own),
  cosineSimilarity: (given, own, length) => dot(given.values, own) / (given.length * length),
  l1norm: ({ values }, own) => sumOfDifferences(values, own),
  l2norm: ({ values }, own) => Math.sqrt(sumOfSquares(values, own)),
};
