import { Amounts, type Observation } from '../functions/gather.js';
import type { DetectorSpec } from './detector.js';
import type { SplitKeys } from './detector-model.js';

/** Values of the fields of a document that the job uses: texts, numbers, lists of them. */
export type JobRow = Readonly<Record<string, unknown>>;

/** Text of a value of a split field or influencer; null for none. */
export function textOf(value: unknown): string | null {
  if (value === undefined || value === null || value === '') return null;
  // Of a list the first value counts; lists within lists, which may be deep, have none.
  if (Array.isArray(value)) return Array.isArray(value[0]) ? null : textOf(value[0]);
  return typeof value === 'object' ? null : String(value);
}

/** Number of a value; NaN for none. */
export function numberOf(value: unknown): number {
  if (typeof value === 'number') return value;
  if (typeof value === 'bigint') return Number(value);
  if (typeof value !== 'string' || value.trim() === '') return Number.NaN;
  return Number(value);
}

/** Values of the split fields of a document; null if it lacks one that it needs. */
export function splitKeys(
  { partition, by, over, useNull }: DetectorSpec,
  field: (name: string) => unknown,
): SplitKeys | null {
  const keys: { partition: string | null; by: string | null; over: string | null } = {
    partition: null,
    by: null,
    over: null,
  };
  if (partition !== null) keys.partition = textOf(field(partition)) ?? '';
  if (by !== null) {
    const value = textOf(field(by));
    if (value === null && !useNull) return null;
    keys.by = value ?? '';
  }
  if (over !== null) {
    const value = textOf(field(over));
    if (value === null && !useNull) return null;
    keys.over = value ?? '';
  }
  return keys;
}

const OF_TEXT: ReadonlySet<string> = new Set(['distinctCount', 'infoContent', 'latLong']);

/** What a document says to a detector: one observation for each value of its field. */
export function observationsOf(
  { field, function: { measure } }: DetectorSpec,
  time: number,
  read: (name: string) => unknown,
  weight: number,
): readonly Observation[] {
  if (field === null) return weight > 0 ? [{ time, number: Number.NaN, text: '', weight }] : [];
  const value = read(field);
  if (value === undefined || value === null || weight === 0) return [];
  if (value instanceof Amounts)
    return value.count === 0 ? [] : [{ time, number: Number.NaN, text: '', weight: value.count, amounts: value }];
  const found: Observation[] = [];
  for (const one of Array.isArray(value) ? (value as unknown[]) : [value]) {
    const text = OF_TEXT.has(measure) ? textOf(one) : '';
    const number = OF_TEXT.has(measure) ? Number.NaN : numberOf(one);
    if (text === null || (text === '' && !Number.isFinite(number))) continue;
    found.push({ time, number, text, weight });
  }
  return found;
}
