import { extractValues, isPlainObject } from '@shoal/json';
import type { Mapping } from '@shoal/mapping';
import type { BitSet } from '@shoal/segments';
import { nestedDocs } from '../execute/weights/nested.js';
import type { SegmentView } from '../searcher.js';

/**
 * Place of a nested document in its root's source: nested objects from the outside in, with their index among siblings.
 */
export type NestedIdentity = readonly { readonly field: string; readonly path: string; readonly offset: number }[];

/** Returns the nested paths from the outermost down to `path`. */
export function nestedLevels(path: string, mapping: Mapping): string[] {
  const levels: string[] = [path];
  for (;;) {
    const dot = levels[0]!.lastIndexOf('.');
    const outer = dot < 0 ? null : mapping.nestedParent(levels[0]!.slice(0, dot));
    if (!outer) return levels;
    levels.unshift(outer.path);
  }
}

/** Finds the identities of nested documents; caches the bits of each path by segment. */
export class NestedPlaces {
  readonly #mapping: Mapping;
  readonly #bits = new Map<string, BitSet | null>();

  constructor(mapping: Mapping) {
    this.#mapping = mapping;
  }

  /** Returns the documents of a nested path in a segment as bits; the roots if `path` is null. */
  bits(segment: SegmentView, path: string | null): BitSet | null {
    if (path === null) return segment.reader.roots;
    const key = `${segment.version} ${path}`;
    let bits = this.#bits.get(key);
    if (bits === undefined) this.#bits.set(key, (bits = nestedDocs(segment, path)));
    return bits;
  }

  identity(segment: SegmentView, doc: number, path: string): NestedIdentity {
    const levels = nestedLevels(path, this.#mapping);
    let at = doc;
    const places = [];
    for (let i = levels.length - 1; i >= 0; i--) {
      const level = levels[i]!;
      const parents = this.bits(segment, i === 0 ? null : levels[i - 1]!)!;
      const field = i === 0 ? level : level.slice(levels[i - 1]!.length + 1);
      places.unshift({ field, path: level, offset: this.#offset(segment, at, level, parents) });
      at = parents.next(at);
    }
    return places;
  }

  /**
   * Counts the siblings before a nested document: documents of its path between the preceding parent and the document.
   */
  #offset(segment: SegmentView, doc: number, path: string, parents: BitSet): number {
    const own = this.bits(segment, path)!;
    const start = doc === 0 ? 0 : parents.previous(doc - 1) + 1;
    let offset = 0;
    for (let sibling = own.next(start); sibling < doc; sibling = own.next(sibling + 1)) offset++;
    return offset;
  }
}

/** Returns the object of a nested document from its root's source. */
export function nestedSource(source: Record<string, unknown>, identity: NestedIdentity): Record<string, unknown> {
  let at: Record<string, unknown> = source;
  for (const { field, offset } of identity) {
    const value = extractValues(at, field)[offset];
    at = isPlainObject(value) ? value : {};
  }
  return at;
}

/** Returns the JSON text of a hit's `_nested`. */
export function identityText(identity: NestedIdentity): string {
  let text = '';
  for (let i = identity.length - 1; i >= 0; i--) {
    const { field, offset } = identity[i]!;
    text = `{"field":${JSON.stringify(field)},"offset":${offset}${text === '' ? '' : `,"_nested":${text}`}}`;
  }
  return text;
}
