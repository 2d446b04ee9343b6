import { skipSpace, skipString, skipValue } from './scan-json.kernel.js';
import { type FilterNode, filterTree, predicateTree } from './source-filter.js';

/** Copies the kept parts of one JSON text into `#out`, of which `#length` bytes are written. */
class Projection {
  readonly #bytes: Buffer;
  readonly #out: Buffer;
  #at = 0;
  #length = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#out = Buffer.allocUnsafe(bytes.length + 2);
  }

  run(root: FilterNode): Uint8Array {
    this.#at = skipSpace(this.#bytes, 0);
    this.#object(root);
    return this.#out.subarray(0, this.#length);
  }

  #emit(byte: number): void {
    this.#out[this.#length++] = byte;
  }

  #copy(from: number, to: number): void {
    this.#bytes.copy(this.#out, this.#length, from, to);
    this.#length += to - from;
  }

  #space(): number {
    this.#at = skipSpace(this.#bytes, this.#at);
    return this.#bytes[this.#at]!;
  }

  #key(from: number, to: number): string {
    const text = this.#bytes.toString('latin1', from + 1, to - 1);
    return /^[\x20-\x5b\x5d-\x7e]*$/.test(text) ? text : (JSON.parse(this.#bytes.toString('utf8', from, to)) as string);
  }

  /** Copies the value at `#at` as far as `node` keeps it; returns whether anything was written. */
  #value(node: FilterNode, inArray: boolean): boolean {
    const first = this.#bytes[this.#at]!;
    if (node.verdict === 'descend' && (first === 0x7b || first === 0x5b)) return this.#container(first, node, inArray);
    const start = this.#at;
    this.#at = skipValue(this.#bytes, start);
    if (node.verdict === 'drop' || (node.verdict === 'descend' && !node.keepsLeaves)) return false;
    this.#copy(start, this.#at);
    return true;
  }

  #container(first: number, node: FilterNode, inArray: boolean): boolean {
    const mark = this.#length;
    const isFilled = first === 0x7b ? this.#object(node) : this.#array(node);
    if (isFilled || (node.keepsEmpty && !inArray)) return true;
    this.#length = mark;
    return false;
  }

  #object(node: FilterNode): boolean {
    let isFilled = false;
    this.#emit(0x7b);
    this.#at++;
    while (this.#space() !== 0x7d) {
      const keyStart = this.#at;
      const keyEnd = skipString(this.#bytes, keyStart);
      const mark = this.#length;
      if (isFilled) this.#emit(0x2c);
      this.#copy(keyStart, keyEnd);
      this.#emit(0x3a);
      this.#at = skipSpace(this.#bytes, skipSpace(this.#bytes, keyEnd) + 1);
      if (this.#value(node.child(this.#key(keyStart, keyEnd)), false)) isFilled = true;
      else this.#length = mark;
      if (this.#space() === 0x2c) this.#at++;
    }
    this.#at++;
    this.#emit(0x7d);
    return isFilled;
  }

  #array(node: FilterNode): boolean {
    let isFilled = false;
    this.#emit(0x5b);
    this.#at++;
    while (this.#space() !== 0x5d) {
      const mark = this.#length;
      if (isFilled) this.#emit(0x2c);
      if (this.#value(node, true)) isFilled = true;
      else this.#length = mark;
      if (this.#space() === 0x2c) this.#at++;
    }
    this.#at++;
    this.#emit(0x5d);
    return isFilled;
  }
}

/**
 * Returns the kept parts of a document, given and returned as JSON text. Made once a request; it caches matched paths.
 */
export type SourceFilter = (source: Uint8Array) => Uint8Array;

/**
 * Compiles `_source` patterns to a filter for many documents. The bytes of kept values are copied unchanged. Documents
 * must be valid JSON objects.
 */
export function compileSourceFilter(includes: readonly string[], excludes: readonly string[]): SourceFilter {
  const root = filterTree(includes, excludes);
  return root.verdict === 'keep' ? (source) => source : (source) => new Projection(source).run(root);
}

/** A filter that keeps the values for whose path, the keys joined with dots, `takes` returns true. */
export function filterSourceBy(takes: (path: string) => boolean): SourceFilter {
  const root = predicateTree(takes);
  return (source) => new Projection(source).run(root);
}

/** Filters one document by `_source` patterns; see `compileSourceFilter`. */
export function filterSource(bytes: Uint8Array, includes: readonly string[], excludes: readonly string[]): Uint8Array {
  return compileSourceFilter(includes, excludes)(bytes);
}
