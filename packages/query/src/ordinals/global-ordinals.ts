import type { OrdinalColumn } from '@shoal/segments';
import type { Searcher, SegmentView } from '../searcher.js';
import { compareTerms } from '@shoal/codec';
import { TERM_TEXTS_BYTES, TermTexts } from './term-texts.js';

/**
 * Global ordinals: one numbering of the terms of a field over all segments of a shard. Terms of sealed segments are
 * numbered in term order. Terms that only the write buffer has follow in order of appearance.
 */
export interface GlobalOrdinals {
  readonly count: number;
  /** Ordinals below this number are in term order. */
  readonly sortedCount: number;
  /** Global ordinal of each ordinal of a segment; null if both are equal. */
  map(view: SegmentView): Int32Array | null;
  term(ordinal: number): string;
  /** The global ordinal of a term, -1 if no document has it. */
  lookup(term: string): number;
}

interface Part {
  readonly view: SegmentView;
  readonly column: OrdinalColumn;
}

/** Global ordinals of the sealed segments alone. */
interface SealedOrdinals {
  readonly count: number;
  readonly maps: ReadonlyMap<string, Int32Array | null>;
  readonly parts: readonly Part[];
  /** For each global ordinal the segment that its term is read from; null with one segment. */
  readonly partOf: Uint16Array | null;
  readonly ordinalIn: Int32Array | null;
}

interface TermStream {
  term: string;
  ordinal: number;
  next(): boolean;
}

/**
 * Streams the terms of a segment in order. Uses the cursor of the term dictionary if the field has one, which decodes
 * each block once.
 */
function termStream({ view, column }: Part, field: string): TermStream {
  const terms = view.reader.terms(field);
  const cursor = terms && terms.termCount === column.ordinalCount ? terms.cursor() : null;
  const stream: TermStream = {
    term: '',
    ordinal: -1,
    next() {
      stream.ordinal++;
      if (stream.ordinal >= column.ordinalCount) return false;
      if (cursor) cursor.next();
      stream.term = cursor ? cursor.term : column.term(stream.ordinal);
      return true;
    },
  };
  return stream;
}

function mergeSealed(parts: readonly Part[], field: string): SealedOrdinals {
  const maps = parts.map(({ column }) => new Int32Array(column.ordinalCount));
  const most = parts.reduce((sum, { column }) => sum + column.ordinalCount, 0);
  const partOf = new Uint16Array(most);
  const ordinalIn = new Int32Array(most);
  const live = parts
    .map((part, index) => ({ index, stream: termStream(part, field) }))
    .filter(({ stream }) => stream.next());
  let count = 0;
  while (live.length > 0) {
    let least = live[0]!.stream.term;
    for (let i = 1; i < live.length; i++)
      if (compareTerms(live[i]!.stream.term, least) < 0) least = live[i]!.stream.term;
    for (let i = live.length - 1; i >= 0; i--) {
      const { index, stream } = live[i]!;
      if (stream.term !== least) continue;
      maps[index]![stream.ordinal] = count;
      partOf[count] = index;
      ordinalIn[count] = stream.ordinal;
      if (!stream.next()) live.splice(i, 1);
    }
    count++;
  }
  return {
    count,
    parts,
    maps: new Map(parts.map(({ view }, i) => [view.reader.id, maps[i]!])),
    partOf: partOf.slice(0, count),
    ordinalIn: ordinalIn.slice(0, count),
  };
}

const bytesOf = (sealed: SealedOrdinals): number =>
  sealed.count * 6 + [...sealed.maps.values()].reduce((sum, map) => sum + (map?.byteLength ?? 0), 0);

function sealedOrdinals(searcher: Searcher, field: string, parts: readonly Part[], group: string): SealedOrdinals {
  if (parts.length <= 1) {
    const maps = new Map(parts.map(({ view }) => [view.reader.id, null]));
    return { count: parts[0]?.column.ordinalCount ?? 0, parts, maps, partOf: null, ordinalIn: null };
  }
  const key = `${group}/${field}/${parts.map(({ view }) => view.reader.id).join(',')}`;
  return searcher.cache.get(key, () => {
    const value = mergeSealed(parts, field);
    return { value, bytes: bytesOf(value) };
  });
}

function sealedTerm(sealed: SealedOrdinals, ordinal: number): string {
  if (!sealed.partOf) return sealed.parts[0]!.column.term(ordinal);
  return sealed.parts[sealed.partOf[ordinal]!]!.column.term(sealed.ordinalIn![ordinal]!);
}

/** Reads texts of sealed terms through the cache of texts that earlier requests read. */
function sealedTexts(searcher: Searcher, field: string, sealed: SealedOrdinals): (ordinal: number) => string {
  const read = (ordinal: number): string => sealedTerm(sealed, ordinal);
  let texts: TermTexts | null = null;
  return (ordinal) => {
    texts ??= searcher.cache.get(`texts/${field}/${sealed.parts.map(({ view }) => view.reader.id).join(',')}`, () => ({
      value: new TermTexts(),
      bytes: TERM_TEXTS_BYTES,
    }));
    return texts.text(ordinal, read);
  };
}

function sealedLookup(sealed: SealedOrdinals, term: string): number {
  for (const { view, column } of sealed.parts) {
    const ordinal = column.lookup(term);
    if (ordinal < 0) continue;
    return sealed.maps.get(view.reader.id)?.[ordinal] ?? ordinal;
  }
  return -1;
}

/** Numbers the terms of write buffers: terms of sealed segments keep their number, new ones follow. */
function bufferMaps(
  sealed: SealedOrdinals,
  parts: readonly Part[],
): { maps: Map<string, Int32Array>; extra: string[] } {
  const maps = new Map<string, Int32Array>();
  const extra: string[] = [];
  const known = new Map<string, number>();
  for (const { view, column } of parts) {
    const map = new Int32Array(column.ordinalCount);
    for (let ordinal = 0; ordinal < map.length; ordinal++) {
      const term = column.term(ordinal);
      let number = known.get(term) ?? sealedLookup(sealed, term);
      if (number < 0) number = sealed.count + extra.push(term) - 1;
      known.set(term, number);
      map[ordinal] = number;
    }
    maps.set(view.reader.id, map);
  }
  return { maps, extra };
}

/** Group of the cache whose entries count as fielddata in statistics. */
const ORDINALS = 'ordinals';

/**
 * Returns the global ordinals of a keyword-like field. If several segments are merged, the result is cached with the
 * searcher; `group` says under which name statistics count it.
 */
export function globalOrdinals(searcher: Searcher, field: string, group = ORDINALS): GlobalOrdinals {
  const sealedParts: Part[] = [];
  const bufferParts: Part[] = [];
  for (const view of searcher.segments) {
    const column = view.reader.ordinals(field);
    if (column) (column.ranks() === null ? sealedParts : bufferParts).push({ view, column });
  }
  const sealed = sealedOrdinals(searcher, field, sealedParts, group);
  const versions = bufferParts.map(({ view, column }) => `${view.reader.id}:${view.version}:${column.ordinalCount}`);
  const key = `${group}/${field}/buffer/${versions.join(',')}/${sealed.count}`;
  const buffers =
    bufferParts.length === 0
      ? { maps: new Map<string, Int32Array>(), extra: [] as string[] }
      : searcher.cache.get(key, () => {
          const value = bufferMaps(sealed, bufferParts);
          return {
            value,
            bytes: [...value.maps.values()].reduce((sum, map) => sum + map.byteLength, 0) + value.extra.length * 64,
          };
        });
  const sealedText = sealedTexts(searcher, field, sealed);
  return {
    count: sealed.count + buffers.extra.length,
    sortedCount: sealed.count,
    map: (view) => buffers.maps.get(view.reader.id) ?? sealed.maps.get(view.reader.id) ?? null,
    term: (ordinal) => (ordinal < sealed.count ? sealedText(ordinal) : buffers.extra[ordinal - sealed.count]!),
    lookup(term) {
      const ordinal = sealedLookup(sealed, term);
      if (ordinal >= 0) return ordinal;
      const at = buffers.extra.indexOf(term);
      return at < 0 ? -1 : sealed.count + at;
    },
  };
}
