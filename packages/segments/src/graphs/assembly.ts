/*
 * Instructions of WebAssembly as bytes, for the module of `row-memory.ts`. Binary format: WebAssembly Core
 * Specification 2.0, chapter 5.
 */

/** Kinds of values. */
export const I32 = 0x7f;
export const V128 = 0x7b;
/** A block, loop or function without a result. */
const EMPTY = 0x40;

export type Code = readonly number[];

export const get = (local: number): Code => [0x20, local];
export const set = (local: number): Code => [0x21, local];
export const tee = (local: number): Code => [0x22, local];
export const ADD: Code = [0x6a];
export const MULTIPLY: Code = [0x6c];
export const LOAD_I32: Code = [0x28, 2, 0];
export const STORE_F32: Code = [0x38, 2, 0];
export const F32_ADD: Code = [0x92];
export const I32_TO_F32: Code = [0xb2];

/** Operations on vectors of four floats, four whole numbers, or eight short ones. */
export const V = {
  addFloats: [0xfd, 0xe4, 0x01],
  subtractFloats: [0xfd, 0xe5, 0x01],
  multiplyFloats: [0xfd, 0xe6, 0x01],
  addInts: [0xfd, 0xae, 0x01],
  subtractShorts: [0xfd, 0x91, 0x01],
  /** Multiplies eight pairs of shorts, and adds the products of neighbours: four whole numbers. */
  dotShorts: [0xfd, 0xba, 0x01],
  zero: [0xfd, 0x0c, ...new Array<number>(16).fill(0)],
  /** Four floats. */
  load: (local: number, offset: number): Code => [...get(local), 0xfd, 0x00, 2, offset],
  /** Eight bytes with their sign as eight shorts. */
  loadBytes: (local: number, offset: number): Code => [...get(local), 0xfd, 0x01, 0, offset],
  floatLane: (i: number): Code => [0xfd, 0x1f, i],
  intLane: (i: number): Code => [0xfd, 0x1b, i],
} as const;

/** A constant in signed LEB128. */
export function constant(value: number): Code {
  const bytes = [0x41];
  for (let rest = value; ; rest >>= 7) {
    const low = rest & 0x7f;
    const isLast = (rest >> 7 === 0 && (low & 0x40) === 0) || (rest >> 7 === -1 && (low & 0x40) !== 0);
    bytes.push(isLast ? low : low | 0x80);
    if (isLast) return bytes;
  }
}

/** Adds to a local variable. */
export const advance = (local: number, by: Code): Code => [...get(local), ...by, ...ADD, ...set(local)];

/** Runs `body` while a condition, which leaves 0 or another number, is not 0. */
export const loopWhile = (condition: Code, body: Code): Code => [
  ...[0x02, EMPTY, 0x03, EMPTY],
  ...condition,
  ...[0x45, 0x0d, 1],
  ...body,
  ...[0x0c, 0, 0x0b, 0x0b],
];

/** Leaves whether two locals are different. */
export const differ = (a: number, b: number): Code => [...get(a), ...get(b), 0x47];

/** A length in unsigned LEB128. */
function size(value: number): number[] {
  return value < 128 ? [value] : [(value & 127) | 128, ...size(value >>> 7)];
}

const sized = (bytes: Code): number[] => [...size(bytes.length), ...bytes];
const section = (id: number, content: Code): number[] => [id, ...sized(content)];
const named = (name: string, kind: number, index: number): number[] => [...sized([...Buffer.from(name)]), kind, index];

/**
 * Returns a module of functions that take the same number of whole numbers and return nothing. Its memory, exported as
 * `memory`, has `pages` of 64 KiB.
 */
export function assemble(functions: Readonly<Record<string, Code>>, parameters: number, pages: number): Uint8Array {
  const names = Object.keys(functions);
  return Uint8Array.from([
    ...[0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(1, [1, 0x60, parameters, ...new Array<number>(parameters).fill(I32), 0]),
    ...section(3, [names.length, ...names.map(() => 0)]),
    ...section(5, [1, 0, ...size(pages)]),
    ...section(7, [names.length + 1, ...named('memory', 2, 0), ...names.flatMap((name, i) => named(name, 0, i))]),
    ...section(10, [names.length, ...names.flatMap((name) => sized([...functions[name]!, 0x0b]))]),
  ]);
}
