import { globalOrdinals } from '@shoal/query';
import type { AggregationType, Aggregator, BuildSite } from '../aggregation-type.js';
import { booleanField, readFields } from '../parse/body-fields.js';
import { ordinalSource } from '../source/ordinal-source.js';
import { notSupported, resolveField, sourceFields, sourceOf, type SourceRequest } from '../source/values-source.js';
import { namedNumbers } from './stats.js';

/** Lengths and characters of strings. */
interface TextCounts {
  count: number;
  total: number;
  min: number;
  max: number;
  readonly chars: Map<string, number>;
}

type TextPartial = {
  readonly c: number;
  readonly t: number;
  readonly n: number;
  readonly x: number;
  readonly h: readonly (readonly [string, number])[];
};

const empty = (): TextCounts => ({ count: 0, total: 0, min: Number.POSITIVE_INFINITY, max: 0, chars: new Map() });

function addText(counts: TextCounts, text: string): void {
  counts.count++;
  counts.total += text.length;
  counts.min = Math.min(counts.min, text.length);
  counts.max = Math.max(counts.max, text.length);
  for (const char of text) counts.chars.set(char, (counts.chars.get(char) ?? 0) + 1);
}

function collector(build: BuildSite, request: SourceRequest): Aggregator<TextPartial> {
  const field = resolveField(build.context, request.field, 'terms', 'string_stats');
  if (field && field.column !== 'ordinals') throw notSupported(field.type, 'string_stats', build.context);
  const name = field?.type.name ?? '';
  const ordinals = globalOrdinals(build.context.searcher, name);
  const source = ordinalSource(name, build.context.scratch);
  const buckets: (TextCounts | undefined)[] = [];
  let map: Int32Array | null = null;
  return {
    segment(view) {
      source.segment(view);
      map = ordinals.map(view);
    },
    reserve() {},
    collect(docs, owners, count) {
      const { starts, values } = source.readAll(docs, count);
      for (let i = 0; i < count; i++) {
        const counts = (buckets[owners ? owners[i]! : 0] ??= empty());
        for (let j = starts[i]!; j < starts[i + 1]!; j++)
          addText(counts, ordinals.term(map ? map[values[j]!]! : values[j]!));
        if (starts[i] === starts[i + 1] && request.missing !== null) addText(counts, String(request.missing));
      }
    },
    partial(bucket) {
      const counts = buckets[bucket];
      return counts ? { c: counts.count, t: counts.total, n: counts.min, x: counts.max, h: [...counts.chars] } : null;
    },
  };
}

function merge(partials: readonly (TextPartial | null)[]): TextCounts {
  const all = empty();
  for (const partial of partials) {
    if (!partial) continue;
    all.count += partial.c;
    all.total += partial.t;
    all.min = Math.min(all.min, partial.n);
    all.max = Math.max(all.max, partial.x);
    for (const [char, count] of partial.h) all.chars.set(char, (all.chars.get(char) ?? 0) + count);
  }
  return all;
}

function json(counts: TextCounts, withDistribution: boolean): Record<string, unknown> {
  const { count, total, min, max } = counts;
  if (count === 0) return { count, min_length: null, max_length: null, avg_length: null, entropy: 0 };
  const shares = [...counts.chars].sort((a, b) => b[1] - a[1]).map(([char, n]) => [char, n / total] as const);
  const entropy = shares.reduce((sum, [, share]) => sum - share * Math.log2(share), 0);
  return {
    count,
    min_length: min,
    max_length: max,
    avg_length: total / count,
    entropy,
    ...(withDistribution ? { distribution: Object.fromEntries(shares) } : {}),
  };
}

/** Lengths of strings and the Shannon entropy of their characters. */
export const stringStats: AggregationType<TextPartial> = {
  name: 'string_stats',
  valueKinds: ['keyword'],
  prints: { wholeMembers: ['count', 'min_length', 'max_length'] },
  parse(site) {
    const fields = readFields(site.body, site, { ...sourceFields, show_distribution: booleanField });
    const source = sourceOf(fields, site, 'keyword');
    return {
      acceptsSubs: false,
      shape: 'metric',
      reads: [{ source, kind: 'terms' }],
      collector: (build) => collector(build, source),
      reduce: (partials) => namedNumbers('string_stats', json(merge(partials), fields.show_distribution ?? false)),
    };
  },
};
