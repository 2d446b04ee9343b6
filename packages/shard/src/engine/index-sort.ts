import { type DocOrder, multiNumbers, multiOrdinals, type SegmentReader } from '@shoal/segments';

/** One criterion of `index.sort.*`. */
export interface IndexSortField {
  readonly field: string;
  readonly isDescending: boolean;
  /** Whether the largest of several values counts; else the smallest. */
  readonly takesMax: boolean;
  readonly missingFirst: boolean;
}

/** Sort order of an index's documents: `index.sort.*`, criteria in order. */
export type IndexSort = readonly IndexSortField[];

type Flat = Readonly<Record<string, string | readonly string[] | null>>;

function listOf(value: string | readonly string[] | null | undefined): readonly string[] {
  if (value === null || value === undefined || value === '') return [];
  return typeof value === 'string' ? value.split(',').map((item) => item.trim()) : value;
}

/** Order of an index of time series: each series together, its last documents first. */
const SERIES_SORT: IndexSort = [
  { field: '_tsid', isDescending: false, takesMax: false, missingFirst: false },
  { field: '@timestamp', isDescending: true, takesMax: true, missingFirst: false },
];

/** Parses `index.sort.*`; null for an index without a sort. */
export function indexSort(settings: Flat): IndexSort | null {
  if (String(settings['index.mode']).toLowerCase() === 'time_series') return SERIES_SORT;
  const fields = listOf(settings['index.sort.field']);
  if (fields.length === 0) return null;
  const [orders, modes, missing] = ['order', 'mode', 'missing'].map((name) =>
    listOf(settings[`index.sort.${name}`]),
  ) as [readonly string[], readonly string[], readonly string[]];
  return fields.map((field, i): IndexSortField => {
    const isDescending = orders[i]?.toLowerCase() === 'desc';
    const mode = modes[i]?.toLowerCase();
    return {
      field,
      isDescending,
      takesMax: mode === undefined ? isDescending : mode === 'max',
      missingFirst: missing[i] === '_first',
    };
  });
}

/** Returns the key of documents without a value. */
const missingKey = ({ missingFirst }: IndexSortField): number => (missingFirst ? -Infinity : Infinity);

function numberKeys(reader: SegmentReader, sort: IndexSortField, maxDoc: number): Float64Array | null {
  const column = reader.numbers(sort.field);
  if (column === null) return null;
  const keys = new Float64Array(maxDoc).fill(missingKey(sort));
  const values = multiNumbers();
  const one = new Int32Array(1);
  for (let doc = 0; doc < maxDoc; doc++) {
    one[0] = doc;
    column.readAll(one, 1, values);
    const count = values.starts[1]!;
    if (count > 0) keys[doc] = (sort.isDescending ? -1 : 1) * values.values[sort.takesMax ? count - 1 : 0]!;
  }
  return keys;
}

function termKeys(reader: SegmentReader, sort: IndexSortField, maxDoc: number): Float64Array | null {
  const column = reader.ordinals(sort.field);
  if (column === null) return null;
  const ranks = column.ranks();
  const keys = new Float64Array(maxDoc).fill(missingKey(sort));
  const values = multiOrdinals();
  const one = new Int32Array(1);
  for (let doc = 0; doc < maxDoc; doc++) {
    one[0] = doc;
    column.readAll(one, 1, values);
    const count = values.starts[1]!;
    if (count === 0) continue;
    const ordinal = values.values[sort.takesMax ? count - 1 : 0]!;
    keys[doc] = (sort.isDescending ? -1 : 1) * (ranks === null ? ordinal : ranks[ordinal]!);
  }
  return keys;
}

/**
 * Returns a function that sorts a segment's documents by `sort`. Equal documents stay in order of indexing. Integers
 * beyond 2^53 compare as doubles.
 */
export function docOrder(sort: IndexSort): DocOrder {
  return (reader, maxDoc) => {
    const columns = sort
      .map((one) => numberKeys(reader, one, maxDoc) ?? termKeys(reader, one, maxDoc))
      .filter((keys) => keys !== null);
    return Int32Array.from({ length: maxDoc }, (_, doc) => doc).sort((a, b) => {
      for (const keys of columns) if (keys[a] !== keys[b]) return keys[a]! < keys[b]! ? -1 : 1;
      return a - b;
    });
  };
}
