import type { ReducedSubs } from './reduced.js';
import type { Reduced, ReducedBucket } from './reduced.js';

/** One step of a path: a name, with a bucket key or a property of a metric in brackets. */
export interface PathStep {
  readonly name: string;
  /** Content of the brackets: `key` in `terms['key']`, `99.0` in `percentiles[99.0]`; null without brackets. */
  readonly key: string | null;
}

/** A parsed path such as `a['k']>b.c`. */
export interface AggregationPath {
  readonly text: string;
  readonly steps: readonly PathStep[];
  /** The property after the dot: `avg`, `99.0`; null for none. */
  readonly property: string | null;
}

function step(text: string): PathStep {
  const open = text.indexOf('[');
  if (open < 0 || !text.endsWith(']')) return { name: text, key: null };
  return { name: text.slice(0, open), key: text.slice(open + 1, -1).replace(/^'(.*)'$/s, '$1') };
}

/** Splits a path at each `>` outside of brackets. */
function splitSteps(text: string): string[] {
  return text.match(/(?:\[[^\]]*\]|[^>[])+/g) ?? [text];
}

/** Parses a path of `buckets_path` or `order`. The property follows the first dot of the last step. */
export function parsePath(text: string): AggregationPath {
  const parts = splitSteps(text.trim());
  const last = parts.at(-1)!;
  const dot = last.startsWith('_') ? -1 : dotOutsideBrackets(last);
  const lastName = dot < 0 ? last : last.slice(0, dot);
  const lastStep = step(lastName);
  const steps = [...parts.slice(0, -1).map(step), lastStep];
  return { text, steps, property: dot < 0 ? lastStep.key : last.slice(dot + 1) };
}

function dotOutsideBrackets(text: string): number {
  let depth = 0;
  for (let i = 0; i < text.length; i++) {
    if (text[i] === '[') depth++;
    else if (text[i] === ']') depth--;
    else if (text[i] === '.' && depth === 0) return i;
  }
  return -1;
}

/** The value at a path: a number; null if a metric has none; undefined if the path leads nowhere. */
export type PathValue = number | null | undefined;

function metricValue(reduced: Reduced, property: string | null): PathValue {
  if (property === '_bucket_count') return reduced.buckets?.length;
  if (property === '_count') return reduced.docCount;
  return reduced.value?.(property);
}

/**
 * Returns the value at a path that starts at one level. A multi-bucket aggregation on the way needs a key in brackets.
 */
export function valueIn(subs: ReducedSubs, path: AggregationPath): PathValue {
  let level = subs;
  for (let i = 0; i < path.steps.length; i++) {
    const { name, key } = path.steps[i]!;
    const isLast = i === path.steps.length - 1;
    if (isLast && name === '_count') return undefined;
    const reduced = level.get(name);
    if (!reduced) return undefined;
    if (isLast) return metricValue(reduced, path.property);
    if (isCountStep(path, i))
      return path.steps[i + 1]!.name === '_count' ? countOf(reduced, key) : reduced.buckets?.length;
    const below = reduced.buckets ? reduced.buckets.find((bucket) => bucket.keyText === key)?.subs : reduced.subs;
    if (!below) return undefined;
    level = below;
  }
  return undefined;
}

function isCountStep(path: AggregationPath, i: number): boolean {
  const next = path.steps[i + 1];
  return i === path.steps.length - 2 && (next?.name === '_count' || next?.name === '_bucket_count');
}

function countOf(reduced: Reduced, key: string | null): PathValue {
  return reduced.buckets ? reduced.buckets.find((bucket) => bucket.keyText === key)?.docCount : reduced.docCount;
}

/** Returns the value at a path that starts in one bucket: `_count`, `_key`, or a sub-aggregation. */
export function valueOfBucket(bucket: ReducedBucket, path: AggregationPath): PathValue {
  if (path.steps.length === 0)
    return path.property === null
      ? undefined
      : valueIn(bucket.subs, { ...path, steps: [{ name: path.property, key: null }], property: null });
  const first = path.steps[0]!.name;
  if (path.steps.length === 1 && first === '_count') return bucket.docCount;
  if (path.steps.length === 1 && first === '_key')
    return typeof bucket.key === 'number' ? bucket.key : Number(bucket.key);
  return valueIn(bucket.subs, path);
}
