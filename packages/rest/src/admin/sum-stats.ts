import { type Json, ownProperty, setOwn } from '@shoal/json';
import { type CommonStats, EMPTY_STATS } from './empty-stats.js';

/** Values that are not added: the greater one is kept. */
const MAXIMA: ReadonlySet<string> = new Set(['max_unsafe_auto_id_timestamp', 'earliest_last_modified_age']);
const AVERAGES: ReadonlySet<string> = new Set(['avg_time_in_millis', 'avg_size_in_bytes']);

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null;
}

function combine(key: string, a: unknown, b: unknown): unknown {
  if (typeof a === 'boolean' || typeof b === 'boolean') return a === true || b === true;
  const [x, y] = [Number(a ?? 0), Number(b ?? 0)];
  if (MAXIMA.has(key)) return a === undefined ? y : Math.max(x, y);
  return AVERAGES.has(key) ? Math.max(x, y) : x + y;
}

/** Adds the values of a part to sums, in place: statistics of thousands of shards are added at once. */
function addTo(sums: Json, part: Json): void {
  for (const [key, value] of Object.entries(part)) {
    const before = ownProperty(sums, key);
    if (isObject(before) && isObject(value)) addTo(before, value);
    else if (isObject(value)) setOwn(sums, key, copyOf(value));
    else if (!isObject(before)) setOwn(sums, key, combine(key, before, value));
  }
}

function copyOf(part: Json): Json {
  const copy: Json = {};
  addTo(copy, part);
  return copy;
}

/**
 * Adds shard statistics section by section, keys in Elasticsearch's order. Sections that a shard leaves out count as
 * zero.
 */
export function sumStats(parts: readonly Json[]): CommonStats {
  const sums = copyOf(EMPTY_STATS);
  for (const part of parts)
    for (const [section, value] of Object.entries(part))
      if (isObject(value) && Object.hasOwn(EMPTY_STATS, section)) addTo(sums[section] as Json, value);
  return sums as unknown as CommonStats;
}
