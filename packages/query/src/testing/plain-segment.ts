import { compareTerms, idHashLow } from '@shoal/codec';
import type { ParsedPart } from '@shoal/mapping';
import {
  type BinaryColumn,
  bitSet,
  type FieldEntry,
  type FieldLayout,
  type GraphLimits,
  type GeoColumn,
  intToByte4,
  latDegrees,
  lonDegrees,
  memorySegment,
  mergeSegments,
  type MultiNumbers,
  type MultiOrdinals,
  NO_MORE_DOCS,
  type NumberColumn,
  openSegment,
  type OrdinalColumn,
  type PostingsCursor,
  quantiseLat,
  quantiseLon,
  type SegmentReader,
  type TermsReader,
  type VectorColumn,
  type VectorLayout,
  vectorRows,
  vectorStride,
} from '@shoal/segments';

/** One Lucene-like document of a plain segment: a root has the `_id`, a nested document has null. */
export interface PlainDocument {
  readonly id: string | null;
  readonly part: ParsedPart;
}

/** Values of one field by document number; documents without the field are absent. */
type FieldRows = ReadonlyMap<number, readonly FieldEntry[]>;

interface PlainField {
  readonly layout: FieldLayout;
  readonly rows: FieldRows;
}

const NESTED_PATH: FieldLayout = {
  name: '_nested_path',
  terms: { freqs: false, positions: false, norms: false },
  column: null,
  points: false,
};

/**
 * Writes documents as a sealed segment in memory and opens it. The writer reads them from plain arrays, which is slow
 * and simple; the segment returned is read by the production reader.
 */
export async function sealedSegment(
  id: string,
  documents: readonly PlainDocument[],
  graphs?: GraphLimits,
): Promise<SegmentReader> {
  const memory = memorySegment();
  const input = { reader: plainReader(id, documents), live: null, maxDoc: documents.length };
  await mergeSegments([input], memory, { graphs });
  return openSegment(memory.source(id));
}

function fieldsOf(documents: readonly PlainDocument[]): ReadonlyMap<string, PlainField> {
  const fields = new Map<string, { layout: FieldLayout; rows: Map<number, FieldEntry[]> }>();
  documents.forEach(({ part }, doc) => {
    const nested: readonly FieldEntry[] =
      part.nestedPath === null ? [] : [{ kind: 'terms', layout: NESTED_PATH, terms: [part.nestedPath] }];
    for (const entry of [...part.entries, ...nested]) {
      const { layout } = entry;
      const field = fields.get(layout.name) ?? { layout, rows: new Map<number, FieldEntry[]>() };
      fields.set(layout.name, field);
      field.rows.set(doc, [...(field.rows.get(doc) ?? []), entry]);
    }
  });
  return fields;
}

/** A segment that reads its documents from plain arrays. */
export function plainReader(id: string, documents: readonly PlainDocument[]): SegmentReader {
  const fields = fieldsOf(documents);
  const maxDoc = documents.length;
  const column = <T>(name: string, kinds: readonly (string | null)[], make: (field: PlainField) => T): T | null => {
    const field = fields.get(name);
    return field !== undefined && kinds.includes(field.layout.column) ? make(field) : null;
  };
  const roots = bitSet(maxDoc);
  documents.forEach((document, doc) => document.id !== null && roots.set(doc));
  return {
    id,
    maxDoc,
    byteSize: 0,
    fields: [...fields.keys()],
    roots: documents.every((document) => document.id !== null) ? null : roots,
    layout: (name) => fields.get(name)?.layout ?? null,
    terms: (name) => (fields.get(name)?.layout.terms ? plainTerms(fields.get(name)!) : null),
    norms: (name) => (fields.get(name)?.layout.terms?.norms ? plainNorms(fields.get(name)!, maxDoc) : null),
    numbers: (name) => column(name, ['long', 'double'], plainNumbers),
    indexedNumbers: (name) => column(name, [null], plainNumbers),
    geo: (name) => column(name, ['geo'], plainGeo),
    indexedPoints: (name) => column(name, [null], plainGeo),
    ordinals: (name) => column(name, ['ordinals'], plainOrdinals),
    binary: (name) => column(name, ['binary'], plainBinary),
    vectors: (name) => column(name, ['vectors'], ({ layout, rows }) => plainVectors(layout.vectors!, rows)),
    points: () => null,
    geoPoints: () => null,
    findId: () => [],
    idHashes: (into) => documents.forEach((document, doc) => (into[doc] = idHashLow(document.id ?? ''))),
  };
}

/** Returns the members that all kinds of columns share, from the number of values of each document. */
function columnOf(counts: ReadonlyMap<number, number>): {
  isSingleValued: boolean;
  docsWithField: number;
  valueCount: number;
  nextDocWithField: (target: number) => number;
} {
  const docs = [...counts.keys()].filter((doc) => counts.get(doc)! > 0).sort((a, b) => a - b);
  return {
    isSingleValued: [...counts.values()].every((count) => count <= 1),
    docsWithField: docs.length,
    valueCount: [...counts.values()].reduce((sum, count) => sum + count, 0),
    nextDocWithField: (target) => docs.find((doc) => doc >= target) ?? NO_MORE_DOCS,
  };
}

const countsOf = (rows: ReadonlyMap<number, readonly unknown[]>): ReadonlyMap<number, number> =>
  new Map([...rows].map(([doc, values]) => [doc, values.length]));

function fillRows<T extends number>(
  rows: ReadonlyMap<number, readonly T[]>,
  docs: Int32Array,
  count: number,
  out: { starts: Int32Array; values: Float64Array | Int32Array },
): void {
  const lists = Array.from({ length: count }, (_, i) => rows.get(docs[i]!) ?? []);
  out.starts = new Int32Array(count + 1);
  lists.forEach((list, i) => (out.starts[i + 1] = out.starts[i]! + list.length));
  out.values = out.values instanceof Int32Array ? Int32Array.from(lists.flat()) : Float64Array.from(lists.flat());
}

const ascending = (a: number | bigint, b: number | bigint): number => (a < b ? -1 : a > b ? 1 : 0);

function plainNumbers({ layout, rows }: PlainField): NumberColumn {
  const exact = new Map<number, (number | bigint)[]>();
  for (const [doc, entries] of rows)
    exact.set(doc, entries.flatMap((entry) => (entry.kind === 'numbers' ? entry.values : [])).sort(ascending));
  const values = new Map([...exact].map(([doc, list]) => [doc, list.map(Number)]));
  const all = [...values.values()].flat();
  const first = (doc: number): number => values.get(doc)?.[0] ?? Number.NaN;
  return {
    kind: layout.column === 'double' ? 'double' : 'long',
    ...columnOf(countsOf(exact)),
    min: Math.min(...all),
    max: Math.max(...all),
    isExact: [...exact.values()].flat().every((value) => typeof value === 'number'),
    read: (docs, count, out) => out.set(Array.from(docs.subarray(0, count), first)),
    readRange: (from, to, out) => out.set(Array.from({ length: to - from }, (_, i) => first(from + i))),
    readAll: (docs, count, out: MultiNumbers) => fillRows(values, docs, count, out),
    bigs: (doc) => (exact.get(doc) ?? []).map(BigInt),
    blockBounds: () => null,
  };
}

function plainGeo({ rows }: PlainField): GeoColumn {
  const lats = new Map<number, number[]>();
  const lons = new Map<number, number[]>();
  for (const [doc, entries] of rows) {
    const degrees = entries.flatMap((entry) => (entry.kind === 'points' ? entry.values : []));
    const points = Array.from(
      { length: degrees.length / 2 },
      (_, i) => [degrees[2 * i]!, degrees[2 * i + 1]!] as const,
    );
    lats.set(
      doc,
      points.map(([lat]) => latDegrees(quantiseLat(lat))),
    );
    lons.set(
      doc,
      points.map(([, lon]) => lonDegrees(quantiseLon(lon))),
    );
  }
  return {
    ...columnOf(countsOf(lats)),
    read: (docs, count, latsOut, lonsOut) => {
      latsOut.set(Array.from(docs.subarray(0, count), (doc) => lats.get(doc)?.[0] ?? Number.NaN));
      lonsOut.set(Array.from(docs.subarray(0, count), (doc) => lons.get(doc)?.[0] ?? Number.NaN));
    },
    readAll: (docs, count, latsOut, lonsOut) => {
      fillRows(lats, docs, count, latsOut);
      fillRows(lons, docs, count, lonsOut);
    },
  };
}

function plainBinary({ rows }: PlainField): BinaryColumn {
  const values = new Map<number, Uint8Array>();
  for (const [doc, entries] of rows)
    for (const entry of entries) if (entry.kind === 'binary') values.set(doc, entry.value);
  return { ...columnOf(new Map([...values.keys()].map((doc) => [doc, 1]))), get: (doc) => values.get(doc) ?? null };
}

function plainVectors(layout: VectorLayout, rows: FieldRows): VectorColumn {
  const values = new Map<number, Uint8Array>();
  for (const [doc, entries] of rows)
    for (const entry of entries) if (entry.kind === 'binary') values.set(doc, entry.value);
  const docs = Int32Array.from(values.keys()).sort();
  return {
    ...columnOf(new Map([...docs].map((doc) => [doc, 1]))),
    layout,
    rowOf: (doc) => docs.indexOf(doc),
    docsOfRows: () => docs,
    rows: (row) => vectorRows(values.get(docs[row]!)!, row, 1, vectorStride(layout)),
  };
}

const termsOf = (entries: readonly FieldEntry[]): string[] =>
  entries.flatMap((entry) => ('terms' in entry ? entry.terms : []));

/** Returns all terms of a field in code-point order; a term's ordinal is its index. */
const dictionaryOf = (rows: FieldRows): string[] =>
  [...new Set([...rows.values()].flatMap(termsOf))].sort(compareTerms);

function plainOrdinals({ rows }: PlainField): OrdinalColumn {
  const dictionary = dictionaryOf(rows);
  const values = new Map<number, number[]>();
  for (const [doc, entries] of rows)
    values.set(doc, [...new Set(termsOf(entries))].map((term) => dictionary.indexOf(term)).sort(ascending));
  const first = (doc: number): number => values.get(doc)?.[0] ?? -1;
  return {
    ...columnOf(countsOf(values)),
    ordinalCount: dictionary.length,
    read: (docs, count, out) => out.set(Array.from(docs.subarray(0, count), first)),
    readRange: (from, to, out) => out.set(Array.from({ length: to - from }, (_, i) => first(from + i))),
    readAll: (docs, count, out: MultiOrdinals) => fillRows(values, docs, count, out),
    term: (ordinal) => dictionary[ordinal]!,
    lookup: (term) => dictionary.indexOf(term),
    ranks: () => null,
  };
}

function plainNorms({ layout, rows }: PlainField, maxDoc: number): ReturnType<SegmentReader['norms']> & object {
  const bytes = new Uint8Array(maxDoc);
  for (const [doc, entries] of rows) {
    const lengths = entries.map((entry) => {
      if (!layout.terms!.freqs) return new Set(termsOf([entry])).size;
      return entry.kind === 'tokens' ? entry.length : 2 * termsOf([entry]).length;
    });
    bytes[doc] = intToByte4(lengths.reduce((sum, length) => sum + length, 0));
  }
  return {
    bytes,
    get: (doc) => bytes[doc]!,
    read: (docs, count, out) => out.set(Array.from(docs.subarray(0, count), (doc) => bytes[doc]!)),
  };
}

/**
 * Documents of one term, ascending, each with its positions (one for each time that a term was not analysed) and its
 * frequency.
 */
type Postings = readonly (readonly [doc: number, positions: readonly number[], freq: number])[];

/** The frequency that a term came with, or 0. */
const weightOf = (entry: FieldEntry, term: string): number =>
  entry.kind === 'weights' ? (entry.values[entry.terms.indexOf(term)] ?? 0) : 0;

function postingsOf(term: string, rows: FieldRows, freqs: boolean): Postings {
  const found: [number, number[], number][] = [];
  for (const [doc, entries] of rows) {
    const positions = entries.flatMap((entry) => {
      if (entry.kind === 'tokens') return entry.terms.flatMap((own, i) => (own === term ? [entry.positions[i]!] : []));
      return entry.kind === 'terms' ? entry.terms.flatMap((own) => (own === term ? [0] : [])) : [];
    });
    const weight = entries.reduce((most, entry) => Math.max(most, weightOf(entry, term)), 0);
    if (weight > 0) found.push([doc, [], weight]);
    else if (positions.length > 0) found.push([doc, freqs ? positions : [0], freqs ? positions.length : 1]);
  }
  return found.sort(([a], [b]) => a - b);
}

function plainTerms({ layout, rows }: PlainField): TermsReader {
  const dictionary = dictionaryOf(rows);
  const lists = dictionary.map((term) => postingsOf(term, rows, layout.terms!.freqs));
  const freqOf = (list: Postings): number => list.reduce((sum, [, , freq]) => sum + freq, 0);
  let at = -1;
  return {
    termCount: dictionary.length,
    docCount: [...rows.values()].filter((entries) => termsOf(entries).length > 0).length,
    sumDocFreq: lists.reduce((sum, list) => sum + list.length, 0),
    sumTotalTermFreq: lists.reduce((sum, list) => sum + freqOf(list), 0),
    layout: layout.terms!,
    lookup: (term) => dictionary.indexOf(term),
    docFreq: (ordinal) => lists[ordinal]!.length,
    totalTermFreq: (ordinal) => freqOf(lists[ordinal]!),
    term: (ordinal) => dictionary[ordinal]!,
    postings: (ordinal) => plainPostings(lists[ordinal]!),
    cursor: () => ({
      seek: (term) => (at = dictionary.findIndex((own) => compareTerms(own, term) >= 0)) >= 0,
      next: () => ++at < dictionary.length,
      get term() {
        return dictionary[at]!;
      },
      get ordinal() {
        return at;
      },
    }),
  };
}

/** A cursor with all documents in one block, read once from start to end: what a merge needs. */
function plainPostings(list: Postings): PostingsCursor {
  let isRead = false;
  const read = (): number => (isRead ? 0 : ((isRead = true), list.length));
  return {
    docFreq: list.length,
    docs: Int32Array.from(list, ([doc]) => doc),
    freqs: Int32Array.from(list, ([, , freq]) => freq),
    size: list.length,
    nextBlock: read,
    advanceBlock: read,
    shallowAdvance: () => list.at(-1)?.[0] ?? NO_MORE_DOCS,
    impacts: () => ({ count: 0, freqs: new Int32Array(0), norms: new Uint8Array(0) }),
    globalImpacts: () => ({ count: 0, freqs: new Int32Array(0), norms: new Uint8Array(0) }),
    positions: () => 0,
    positionBuffer: new Int32Array(0),
    positionSteps: (_count, into, at) =>
      into.set(
        list.flatMap(([, positions]) => positions.map((position, i) => position - (positions[i - 1] ?? 0))),
        at,
      ),
  };
}
