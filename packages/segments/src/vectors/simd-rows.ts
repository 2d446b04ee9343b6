/*
 * A WebAssembly module with two loops over the rows of a piece of vectors, assembled here: SIMD is out of reach for
 * JavaScript. Binary format: WebAssembly Core Specification 2.0, chapter 5.
 *
 *     dots(query, rows, stride, count, dims, out)      out[i] = sum of query[j] * rows[i][j]
 *     squares(query, rows, stride, count, dims, out)   out[i] = sum of (query[j] - rows[i][j])^2
 *
 * All are addresses in bytes but `count` and `dims`. A row takes 16 elements a turn in four vectors of four sums.
 */

/** Kinds of values. */
const I32 = 0x7f;
const F32 = 0x7d;
const V128 = 0x7b;
/** A block, loop or function without a result. */
const EMPTY = 0x40;

/** Locals: the parameters, places and ends of the loops, a sum, four vectors of sums, and the last difference. */
const L = {
  query: 0,
  rows: 1,
  stride: 2,
  count: 3,
  dims: 4,
  out: 5,
  at: 6,
  row: 7,
  whole: 8,
  end: 9,
  sum: 10,
} as const;
const SUMS = [11, 12, 13, 14] as const;
const DIFFERENCE = 15;
const DELTA = 16;

const get = (local: number): number[] => [0x20, local];
const set = (local: number): number[] => [0x21, local];
const tee = (local: number): number[] => [0x22, local];
const ADD = [0x6a];
const F32_ADD = [0x92];
const V_ADD = [0xfd, 0xe4, 0x01];
const V_SUB = [0xfd, 0xe5, 0x01];
const V_MUL = [0xfd, 0xe6, 0x01];
const ZERO_VECTOR = [0xfd, 0x0c, ...new Array<number>(16).fill(0)];
const vector = (local: number, offset: number): number[] => [...get(local), 0xfd, 0x00, 2, offset];
const scalar = (local: number): number[] => [...get(local), 0x2a, 2, 0];
const lane = (i: number): number[] => [0xfd, 0x1f, i];

/** A constant in signed LEB128. */
function constant(value: number): number[] {
  const bytes = [0x41];
  for (let rest = value; ; rest >>= 7) {
    const low = rest & 0x7f;
    const isLast = (rest >> 7 === 0 && (low & 0x40) === 0) || (rest >> 7 === -1 && (low & 0x40) !== 0);
    bytes.push(isLast ? low : low | 0x80);
    if (isLast) return bytes;
  }
}

const advance = (local: number, by: number[]): number[] => [...get(local), ...by, ...ADD, ...set(local)];
/** Runs `body` until `at` has reached `end`. */
const until = (at: number, end: number, body: number[]): number[] => [
  ...[0x02, EMPTY, 0x03, EMPTY],
  ...get(at),
  ...get(end),
  ...[0x46, 0x0d, 1],
  ...body,
  ...[0x0c, 0, 0x0b, 0x0b],
];

/** What one element, or four, add to a sum. */
interface Term {
  readonly vector: (offset: number) => number[];
  readonly scalar: number[];
}

const DOT: Term = {
  vector: (offset) => [...vector(L.at, offset), ...vector(L.row, offset), ...V_MUL],
  scalar: [...scalar(L.at), ...scalar(L.row), 0x94],
};
const SQUARE: Term = {
  vector: (offset) => [
    ...vector(L.at, offset),
    ...vector(L.row, offset),
    ...V_SUB,
    ...tee(DIFFERENCE),
    ...get(DIFFERENCE),
    ...V_MUL,
  ],
  scalar: [...scalar(L.at), ...scalar(L.row), 0x93, ...tee(DELTA), ...get(DELTA), 0x94],
};

/** Code of the function for one kind of term. */
function rowsLoop(term: Term): number[] {
  const turns = SUMS.flatMap((sum, k) => [...get(sum), ...term.vector(16 * k), ...V_ADD, ...set(sum)]);
  const row = [
    ...[...get(L.query), ...set(L.at), ...get(L.rows), ...set(L.row)],
    ...SUMS.flatMap((sum) => [...ZERO_VECTOR, ...set(sum)]),
    ...until(L.at, L.whole, [...turns, ...advance(L.at, constant(64)), ...advance(L.row, constant(64))]),
    ...[...get(SUMS[0]), ...get(SUMS[1]), ...V_ADD, ...get(SUMS[2]), ...get(SUMS[3]), ...V_ADD, ...V_ADD],
    ...[...tee(DIFFERENCE), ...lane(0), ...get(DIFFERENCE), ...lane(1), ...F32_ADD],
    ...[...get(DIFFERENCE), ...lane(2), ...get(DIFFERENCE), ...lane(3), ...F32_ADD, ...F32_ADD, ...set(L.sum)],
    ...until(L.at, L.end, [
      ...[...get(L.sum), ...term.scalar, ...F32_ADD, ...set(L.sum)],
      ...[...advance(L.at, constant(4)), ...advance(L.row, constant(4))],
    ]),
    ...[...get(L.out), ...get(L.sum), 0x38, 2, 0],
    ...[...advance(L.out, constant(4)), ...advance(L.rows, get(L.stride)), ...advance(L.count, constant(-1))],
  ];
  const bytesOf = (dims: number[]): number[] => [...get(L.query), ...dims, ...constant(2), 0x74, ...ADD];
  return [
    ...[4, 4, I32, 1, F32, 5, V128, 1, F32],
    ...[...bytesOf([...get(L.dims), ...constant(-16), 0x71]), ...set(L.whole)],
    ...[...bytesOf(get(L.dims)), ...set(L.end)],
    ...[0x02, EMPTY, 0x03, EMPTY, ...get(L.count), 0x45, 0x0d, 1, ...row, 0x0c, 0, 0x0b, 0x0b, 0x0b],
  ];
}

/** A length in unsigned LEB128. */
function size(value: number): number[] {
  return value < 128 ? [value] : [(value & 127) | 128, ...size(value >>> 7)];
}

const sized = (bytes: readonly number[]): number[] => [...size(bytes.length), ...bytes];
const section = (id: number, content: number[]): number[] => [id, ...sized(content)];
const named = (name: string, kind: number, index: number): number[] => [...sized([...Buffer.from(name)]), kind, index];

/** Memory: the query's vector, the rows of a piece, and a float for each row. */
const QUERY_AT = 0;
const ROWS_AT = 16_384;
const OUT_AT = ROWS_AT + 65_536;
const PAGES = 3;

function moduleBytes(): Uint8Array<ArrayBuffer> {
  return Uint8Array.from([
    ...[0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(1, [1, 0x60, 6, I32, I32, I32, I32, I32, I32, 0]),
    ...section(3, [2, 0, 0]),
    ...section(5, [1, 0, PAGES]),
    ...section(7, [3, ...named('memory', 2, 0), ...named('dots', 0, 0), ...named('squares', 0, 1)]),
    ...section(10, [2, ...sized(rowsLoop(DOT)), ...sized(rowsLoop(SQUARE))]),
  ]);
}

/** What is used of the global `WebAssembly`, whose types come with those of browsers only. */
interface Assembly {
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (module: object) => { readonly exports: Readonly<Record<string, unknown>> };
}

type RowsFunction = (query: number, rows: number, stride: number, count: number, dims: number, out: number) => void;

/** Compares a vector of floats with all rows of a piece. */
export interface SimdRows {
  /** Returns the dot product with each row, valid until the next call. */
  dots(query: Float32Array, rows: Float32Array, stride: number, count: number, dims: number): Float32Array;
  /** Returns the square of the distance to each row, valid until the next call. */
  squares(query: Float32Array, rows: Float32Array, stride: number, count: number, dims: number): Float32Array;
}

/**
 * Returns the loops with a memory of their own of 192 KiB, into which a piece is copied: the copy costs a third of the
 * comparison that it saves. Its sums are floats, as Lucene's. A piece has at most 64 KiB.
 */
export function simdRows(): SimdRows {
  const { Module, Instance } = (globalThis as unknown as { readonly WebAssembly: Assembly }).WebAssembly;
  const { exports } = new Instance(new Module(moduleBytes()));
  const { buffer } = exports['memory'] as { readonly buffer: ArrayBuffer };
  const own = new Float32Array(buffer, QUERY_AT, (ROWS_AT - QUERY_AT) / 4);
  const copied = new Float32Array(buffer, ROWS_AT, (OUT_AT - ROWS_AT) / 4);
  const out = new Float32Array(buffer, OUT_AT);
  const running =
    (run: RowsFunction): SimdRows['dots'] =>
    (query, rows, stride, count, dims) => {
      own.set(query.subarray(0, dims));
      copied.set(rows.subarray(0, count * stride));
      run(QUERY_AT, ROWS_AT, 4 * stride, count, dims, OUT_AT);
      return out;
    };
  return { dots: running(exports['dots'] as RowsFunction), squares: running(exports['squares'] as RowsFunction) };
}
