import type { SourceFilter } from './generated/shard.js';

const patternsOf = (value: unknown): string[] =>
  Array.isArray(value) ? value.map(String) : value === undefined || value === null ? [] : [String(value)];

/**
 * Returns the filter that a `_source` parameter or member stands for: true, false, patterns, or an object of includes
 * and excludes; null and undefined, which say nothing, return undefined.
 */
export function sourceFilterOf(value: unknown): SourceFilter | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'boolean') return { none: !value, includes: [], excludes: [] };
  if (value === 'true' || value === 'false') return { none: value === 'false', includes: [], excludes: [] };
  if (typeof value !== 'object' || Array.isArray(value))
    return { none: false, includes: patternsOf(value), excludes: [] };
  const members = value as Readonly<Record<string, unknown>>;
  const of = (...names: string[]): string[] => names.flatMap((name) => patternsOf(members[name]));
  return { none: false, includes: of('includes', 'include'), excludes: of('excludes', 'exclude') };
}
