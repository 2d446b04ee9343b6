import { JsonText, type Json } from '@shoal/json';
import { formatByteSize, formatTimeValue } from '@shoal/values';

/** Keys in milliseconds whose readable form is a date; the others are durations. */
const START_TIMES = /^(start_time|stop_time|timestamp)$/;

function readable(key: string, value: unknown): readonly [string, string] | null {
  if (typeof value !== 'number') return null;
  if (key.endsWith('_in_bytes')) return [key.slice(0, -'_in_bytes'.length), formatByteSize(value)];
  if (!key.endsWith('_in_millis')) return null;
  const name = key.slice(0, -'_in_millis'.length);
  return [name, START_TIMES.test(name) ? new Date(value).toISOString() : formatTimeValue(value)];
}

/** Adds a readable value before each value with a unit: `"store":"5kb"` before `"store_in_bytes":5120`. */
export function withReadableValues(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withReadableValues);
  if (typeof value !== 'object' || value === null || value instanceof JsonText) return value;
  const entries = Object.entries(value as Json).flatMap(([key, child]) => {
    const sibling = readable(key, child);
    const own = [key, withReadableValues(child)] as const;
    return sibling && !Object.hasOwn(value, sibling[0]) ? [sibling, own] : [own];
  });
  return Object.fromEntries(entries);
}
