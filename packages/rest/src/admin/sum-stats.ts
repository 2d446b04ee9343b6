import type { Json } from '@shoal/json';
import { type CommonStats, EMPTY_STATS } from './empty-stats.js';

/** Values that are not added: the greater one is kept. */
const MAXIMA: ReadonlySet<string> = new Set(['max_unsafe_auto_id_timestamp', 'earliest_last_modified_age']);
const AVERAGES: ReadonlySet<string> = new Set(['avg_time_in_millis', 'avg_size_in_bytes']);

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null;
}

function combine(key: string, a: unknown, b: unknown): unknown {
  if (isObject(a) || isObject(b)) return add(isObject(a) ? a : {}, isObject(b) ? b : {});
  if (typeof a === 'boolean' || typeof b === 'boolean') return a === true || b === true;
  const [x, y] = [Number(a ?? 0), Number(b ?? 0)];
  if (MAXIMA.has(key)) return a === undefined ? y : b === undefined ? x : Math.max(x, y);
  return AVERAGES.has(key) ? Math.max(x, y) : x + y;
}

function add(a: Json, b: Json): Json {
  const keys = new Set([...Object.keys(a), ...Object.keys(b)]);
  return Object.fromEntries([...keys].map((key) => [key, combine(key, a[key], b[key])]));
}

/**
 * Adds shard statistics section by section, keys in Elasticsearch's order. Sections that a shard leaves out count as
 * zero.
 */
export function sumStats(parts: readonly Json[]): CommonStats {
  const known = new Set(Object.keys(EMPTY_STATS));
  const sum = parts.reduce<Json>(
    (total, part) => {
      const chosen = Object.fromEntries(Object.entries(part).filter(([section]) => known.has(section)));
      return add(total, chosen);
    },
    EMPTY_STATS as unknown as Json,
  );
  return sum as unknown as CommonStats;
}
