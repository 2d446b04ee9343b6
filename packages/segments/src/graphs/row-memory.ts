/*
 * Rows of vectors in the memory of a WebAssembly module, and its loops over some of them: SIMD is out of reach for
 * JavaScript. Rows are padded with zeros to 16 bytes, which add nothing to a product or a distance.
 */

import type { VectorSimilarity } from '../segment-reader.js';
import {
  ADD,
  advance,
  assemble,
  type Code,
  constant,
  differ,
  F32_ADD,
  get,
  I32,
  I32_TO_F32,
  LOAD_I32,
  loopWhile,
  MULTIPLY,
  set,
  STORE_F32,
  tee,
  V,
  V128,
} from './assembly.js';

/** Parameters of the loops: addresses in bytes, but the number of rows; then their own variables. */
const L = { query: 0, rows: 1, stride: 2, list: 3, count: 4, out: 5, at: 6, row: 7, end: 8 } as const;
const PARAMETERS = 6;
const SUMS = [9, 10] as const;
const DIFFERENCE = 11;
const LOCALS: Code = [2, 3, I32, 3, V128];

/** What 16 bytes of a row add to the sums: two vectors of sums, so that additions overlap. */
interface Term {
  readonly turn: Code;
  /** Leaves the sum of all lanes as a float. */
  readonly sum: Code;
}

const FLOAT_SUM: Code = [
  ...[...get(SUMS[0]), ...get(SUMS[1]), ...V.addFloats, ...tee(DIFFERENCE), ...V.floatLane(0)],
  ...[...get(DIFFERENCE), ...V.floatLane(1), ...F32_ADD],
  ...[...get(DIFFERENCE), ...V.floatLane(2), ...get(DIFFERENCE), ...V.floatLane(3), ...F32_ADD, ...F32_ADD],
];
const INT_SUM: Code = [
  ...[...get(SUMS[0]), ...get(SUMS[1]), ...V.addInts, ...tee(DIFFERENCE), ...V.intLane(0)],
  ...[...get(DIFFERENCE), ...V.intLane(1), ...ADD],
  ...[...get(DIFFERENCE), ...V.intLane(2), ...get(DIFFERENCE), ...V.intLane(3), ...ADD, ...ADD, ...I32_TO_F32],
];

/** Two turns of 16 bytes, one for each sum. */
const twice = (turn: (sum: number, offset: number) => Code): Code => [...turn(SUMS[0], 0), ...turn(SUMS[1], 16)];

const DOTS: Term = {
  turn: twice((sum, offset) => [
    ...[...get(sum), ...V.load(L.at, offset), ...V.load(L.row, offset)],
    ...[...V.multiplyFloats, ...V.addFloats, ...set(sum)],
  ]),
  sum: FLOAT_SUM,
};
const SQUARES: Term = {
  turn: twice((sum, offset) => [
    ...[...get(sum), ...V.load(L.at, offset), ...V.load(L.row, offset), ...V.subtractFloats],
    ...[...tee(DIFFERENCE), ...get(DIFFERENCE), ...V.multiplyFloats, ...V.addFloats, ...set(sum)],
  ]),
  sum: FLOAT_SUM,
};
const eightBytes = (of: (sum: number, offset: number) => Code): Code =>
  twice((sum, offset) => [...of(sum, offset), ...of(sum, offset + 8)]);
const BYTE_DOTS: Term = {
  turn: eightBytes((sum, offset) => [
    ...[...get(sum), ...V.loadBytes(L.at, offset), ...V.loadBytes(L.row, offset)],
    ...[...V.dotShorts, ...V.addInts, ...set(sum)],
  ]),
  sum: INT_SUM,
};
const BYTE_SQUARES: Term = {
  turn: eightBytes((sum, offset) => [
    ...[...get(sum), ...V.loadBytes(L.at, offset), ...V.loadBytes(L.row, offset), ...V.subtractShorts],
    ...[...tee(DIFFERENCE), ...get(DIFFERENCE), ...V.dotShorts, ...V.addInts, ...set(sum)],
  ]),
  sum: INT_SUM,
};

/** Compares the query with each row of a list, and writes a float for each. */
function loopOver(term: Term, stride: number): Code {
  const lines = Array.from({ length: Math.min(Math.ceil(stride / LINE_BYTES), LINES_MAX) }, (_, i) => i * LINE_BYTES);
  const touch: Code = [
    ...[...get(L.at), ...LOAD_I32, ...get(L.stride), ...MULTIPLY, ...get(L.rows), ...ADD, ...set(L.row)],
    ...lines.flatMap((offset) => [...get(L.row), ...loadAndDrop(offset)]),
    ...advance(L.at, constant(4)),
  ];
  const touchAll: Code = [
    ...[...get(L.list), ...tee(L.at), ...get(L.count), ...constant(4), ...MULTIPLY, ...ADD, ...set(L.end)],
    ...loopWhile(differ(L.at, L.end), touch),
  ];
  const row: Code = [
    ...[...get(L.list), ...LOAD_I32, ...get(L.stride), ...MULTIPLY, ...get(L.rows), ...ADD, ...set(L.row)],
    ...[...get(L.query), ...tee(L.at), ...get(L.stride), ...ADD, ...set(L.end)],
    ...SUMS.flatMap((sum) => [...V.zero, ...set(sum)]),
    ...loopWhile(differ(L.at, L.end), [
      ...term.turn,
      ...advance(L.at, constant(TURN_BYTES)),
      ...advance(L.row, constant(TURN_BYTES)),
    ]),
    ...[...get(L.out), ...term.sum, ...STORE_F32],
    ...[...advance(L.out, constant(4)), ...advance(L.list, constant(4)), ...advance(L.count, constant(-1))],
  ];
  return [...LOCALS, ...touchAll, ...loopWhile(get(L.count), row)];
}

/** Bytes that a processor fetches at once, and how many of those of a row are asked for ahead. */
const LINE_BYTES = 64;
const LINES_MAX = 16;

/** Loads a number at an address that is on the stack, and forgets it: what it is for is that its line is fetched. */
function loadAndDrop(offset: number): Code {
  const low = offset < 128 ? [offset] : [(offset & 127) | 128, offset >>> 7];
  return [0x28, 2, ...low, 0x1a];
}

/** Bytes of a turn: rows are padded to a multiple. */
const TURN_BYTES = 32;
const PAGE_BYTES = 65_536;
/** Limit of the memory of a module. */
const PAGES_MAX = 65_535;
/** Rows that one call compares at most. */
export const LIST_ROWS_MAX = 2048;
const LIST_AT = 0;
const OUT_AT = LIST_ROWS_MAX * 4;
const QUERY_AT = OUT_AT + LIST_ROWS_MAX * 4;

/** What is used of the global `WebAssembly`, whose types come with those of browsers only. */
interface Assembly {
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (module: object) => { readonly exports: Readonly<Record<string, unknown>> };
}
type Loop = (query: number, rows: number, stride: number, list: number, count: number, out: number) => void;

/** Form of the rows: elements, and how they are compared. */
export interface RowForm {
  readonly dims: number;
  readonly element: 'float' | 'byte';
  readonly isDistance: boolean;
}

/** Returns whether two vectors are compared by their distance, and not by their product. */
export const comparesDistance = (similarity: VectorSimilarity): boolean => similarity === 'l2_norm';

const strideOf = ({ dims, element }: RowForm): number =>
  Math.ceil((dims * (element === 'float' ? 4 : 1)) / TURN_BYTES) * TURN_BYTES;

/** Returns the bytes that a row takes in the memory of a module. */
export const rowMemoryBytes = strideOf;

/**
 * Rows in memory, to be compared with one of them or with a query. How near two vectors are is a float that is larger
 * for nearer ones: their product, or their squared distance with a minus.
 */
export class RowMemory {
  /** Numbers of rows to compare, as many as `nearness` is asked for. */
  readonly list: Int32Array;
  /** Results of `nearness`. */
  readonly out: Float32Array;
  readonly #form: RowForm;
  readonly #stride: number;
  readonly #rowsAt: number;
  readonly #memory: Uint8Array;
  readonly #loop: Loop;
  /** Length of each row of bytes that are compared by cosine; null if products are not divided. */
  readonly #lengths: Float32Array | null;
  #queryLength = 1;
  #queryAt = QUERY_AT;

  /** Takes memory for `count` rows. `hasLengths`: products are divided by the lengths of both vectors. */
  constructor(form: RowForm, count: number, hasLengths = false) {
    this.#form = form;
    this.#stride = strideOf(form);
    this.#rowsAt = QUERY_AT + this.#stride;
    const pages = Math.ceil((this.#rowsAt + count * this.#stride) / PAGE_BYTES);
    if (pages > PAGES_MAX) throw new RangeError(`${count} rows of ${form.dims} elements are too many for a graph`);
    const { Module, Instance } = (globalThis as unknown as { readonly WebAssembly: Assembly }).WebAssembly;
    const isFloat = form.element === 'float';
    const term = form.isDistance ? (isFloat ? SQUARES : BYTE_SQUARES) : isFloat ? DOTS : BYTE_DOTS;
    const { exports } = new Instance(
      new Module(assemble({ compare: loopOver(term, this.#stride) }, PARAMETERS, pages)),
    );
    const { buffer } = exports['memory'] as { readonly buffer: ArrayBuffer };
    this.#loop = exports['compare'] as Loop;
    this.#memory = new Uint8Array(buffer);
    this.list = new Int32Array(buffer, LIST_AT, LIST_ROWS_MAX);
    this.out = new Float32Array(buffer, OUT_AT, LIST_ROWS_MAX);
    this.#lengths = hasLengths ? new Float32Array(count) : null;
  }

  /** Copies the elements of a row. `length` is the length of the vector. */
  set(row: number, elements: Uint8Array, length: number): void {
    this.#memory.set(elements, this.#rowsAt + row * this.#stride);
    if (this.#lengths !== null) this.#lengths[row] = length;
  }

  /** Chooses the vector with which rows are compared: a row. */
  queryRow(row: number): void {
    this.#queryAt = this.#rowsAt + row * this.#stride;
    if (this.#lengths !== null) this.#queryLength = this.#lengths[row]!;
  }

  /** Chooses the vector with which rows are compared. */
  query(elements: Uint8Array, length: number): void {
    this.#queryAt = QUERY_AT;
    this.#queryLength = length;
    this.#memory.fill(0, QUERY_AT, QUERY_AT + this.#stride);
    this.#memory.set(elements, QUERY_AT);
  }

  /** Writes to `out` how near the first `count` rows of `list` are. */
  nearness(count: number): void {
    this.#loop(this.#queryAt, this.#rowsAt, this.#stride, LIST_AT, count, OUT_AT);
    const { out } = this;
    if (this.#form.isDistance) for (let i = 0; i < count; i++) out[i] = -out[i]!;
    else if (this.#lengths !== null)
      for (let i = 0; i < count; i++) out[i] = out[i]! / (this.#queryLength * this.#lengths[this.list[i]!]!);
  }
}
