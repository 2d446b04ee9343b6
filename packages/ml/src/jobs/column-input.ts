import { Amounts, type JobModel } from '@shoal/learning';
import type { FieldStats } from '../why/field-stats.js';
import { type DataCounts, noteDocuments } from './data-counts.js';
import { finishBefore, type StepPart } from './step-part.js';

/** What the rows of a stretch have in common. */
export interface ColumnsHead {
  /** Fields whose values tell rows apart, and fields whose values are added up, in the order of a row. */
  readonly keys: readonly string[];
  readonly amounts: readonly string[];
  /** Times of the first and the last document of the stretch, in milliseconds. */
  readonly firstMs: number;
  readonly lastMs: number;
}

/**
 * Documents of a bucket that have the same values: the time of the first in milliseconds, how many they are, the
 * values, and for each amount number, sum, sum of squares and extremes of its values.
 */
export type ColumnRow = readonly [
  timeMs: number,
  documents: number,
  keys: readonly unknown[],
  amounts: readonly (readonly [count: number, sum: number, squares: number, least: number, most: number] | null)[],
];

/** Body of `columns`: rows as lines of JSON. */
export interface ColumnsBody {
  readonly id: string;
  readonly rows: Uint8Array;
  readonly head: ColumnsHead;
}

/** The parts of an open job that documents go to. */
interface Site {
  readonly model: JobModel;
  readonly counts: DataCounts;
  readonly fieldStats: FieldStats;
}

/**
 * Adds documents that were added up by bucket and values, a part in each step. Counts are those that the documents
 * would have had.
 */
export function* addColumns(site: Site, { rows, head }: ColumnsBody, part: StepPart): Generator<void> {
  site.counts.inputBytes += rows.length;
  const text = Buffer.from(rows.buffer, rows.byteOffset, rows.byteLength).toString('utf8');
  for (const line of text.split('\n')) {
    if (line === '') continue;
    const row = JSON.parse(line) as ColumnRow;
    yield* finishBefore(site.model, row[0] / 1000, part);
    addRow(site, row, head);
  }
}

function addRow({ model, counts, fieldStats }: Site, [timeMs, documents, values, sums]: ColumnRow, head: ColumnsHead) {
  const row: Record<string, unknown> = Object.create(null) as Record<string, unknown>;
  let missing = 0;
  const note = (field: string, found: readonly unknown[], present: number): void => {
    fieldStats.noteMany(field, found, present, documents - present);
    missing += documents - present;
  };
  head.keys.forEach((field, i) => {
    const value = values[i];
    note(field, value === null ? [] : [value], value === null ? 0 : documents);
    if (value !== null) row[field] = value;
  });
  head.amounts.forEach((field, i) => {
    const own = sums[i];
    if (own === null || own === undefined) return note(field, [], 0);
    note(field, [own[3], own[4]], Math.min(documents, own[0]));
    row[field] = new Amounts(...own);
  });
  const fields = documents * (head.keys.length + head.amounts.length + 1) - missing;
  counts.inputRecords += documents;
  counts.missingFields += missing;
  counts.inputFields += fields;
  if (!model.addGroup(timeMs / 1000, row, documents)) counts.outOfOrder += documents;
  else noteDocuments(counts, { count: documents, fields, firstS: head.firstMs / 1000, lastS: head.lastMs / 1000 });
}
