import { errors } from '@shoal/errors';
import { isPlainObject } from '@shoal/json';
import type { AggregationType, Aggregator, BuildSite } from '../aggregation-type.js';
import { anyField, type FieldReader, listOf, nameOf, readFields, stringField } from '../parse/body-fields.js';
import type { Reduced } from '../reduce/reduced.js';
import { missingValue, numberSource } from '../source/number-source.js';
import { resolveField } from '../source/values-source.js';
import { NO_KIND } from '../source/value-kinds.js';
import { present } from '../reduce/present.js';

/**
 * Moments of several fields over the documents that have all of them: means, sums of the powers 2 to 4 of deviations,
 * and sums of products of deviations.
 */
type Moments = {
  count: number;
  readonly mean: number[];
  readonly m2: number[];
  readonly m3: number[];
  readonly m4: number[];
  /** Sum of the products of deviations of fields i and j, for j < i. */
  readonly co: number[][];
};

type Mode = 'avg' | 'min' | 'max' | 'sum' | 'median';
const MODES: readonly Mode[] = ['avg', 'min', 'max', 'sum', 'median'];

const zeros = (n: number): number[] => new Array<number>(n).fill(0);
const empty = (n: number): Moments => ({
  count: 0,
  mean: zeros(n),
  m2: zeros(n),
  m3: zeros(n),
  m4: zeros(n),
  co: Array.from({ length: n }, () => zeros(n)),
});

/**
 * Merges two moments by the pairwise formulas of P. Pébay, "Formulas for robust, one-pass parallel computation of
 * covariances" (2008).
 */
function combine(a: Moments, b: Moments): Moments {
  if (a.count === 0) return b;
  if (b.count === 0) return a;
  const n = a.count + b.count;
  const size = a.mean.length;
  const out = empty(size);
  out.count = n;
  const delta = a.mean.map((mean, i) => b.mean[i]! - mean);
  for (let i = 0; i < size; i++) {
    const d = delta[i]!;
    const [na, nb] = [a.count, b.count];
    out.mean[i] = a.mean[i]! + (d * nb) / n;
    out.m2[i] = a.m2[i]! + b.m2[i]! + (d * d * na * nb) / n;
    out.m3[i] =
      a.m3[i]! + b.m3[i]! + (d ** 3 * na * nb * (na - nb)) / n ** 2 + (3 * d * (na * b.m2[i]! - nb * a.m2[i]!)) / n;
    out.m4[i] =
      a.m4[i]! +
      b.m4[i]! +
      (d ** 4 * na * nb * (na * na - na * nb + nb * nb)) / n ** 3 +
      (6 * d * d * (na * na * b.m2[i]! + nb * nb * a.m2[i]!)) / n ** 2 +
      (4 * d * (na * b.m3[i]! - nb * a.m3[i]!)) / n;
    for (let j = 0; j < i; j++) out.co[i]![j] = a.co[i]![j]! + b.co[i]![j]! + (d * delta[j]! * na * nb) / n;
  }
  return out;
}

function momentsOf(row: readonly number[]): Moments {
  return { ...empty(row.length), count: 1, mean: [...row] };
}

function pick(values: Float64Array, from: number, to: number, mode: Mode): number {
  const own = values.subarray(from, to);
  if (own.length === 0) return Number.NaN;
  if (mode === 'min') return own[0]!;
  if (mode === 'max') return own[own.length - 1]!;
  const sum = own.reduce((total, value) => total + value, 0);
  if (mode === 'sum') return sum;
  const middle = own.length >> 1;
  if (mode === 'median') return own.length % 2 === 1 ? own[middle]! : (own[middle - 1]! + own[middle]!) / 2;
  return sum / own.length;
}

interface MatrixRequest {
  readonly fields: readonly string[];
  readonly mode: Mode;
  readonly missing: Readonly<Record<string, unknown>>;
}

function collector(build: BuildSite, request: MatrixRequest): Aggregator<Moments> {
  const sources = request.fields.map((name) => {
    const field = resolveField(build.context, name, 'numbers', 'matrix_stats')?.type ?? null;
    return numberSource(
      field,
      missingValue(request.missing[name], field, null, build.context.now),
      build.context.scratch,
    );
  });
  const buckets: (Moments | undefined)[] = [];
  return {
    segment(view) {
      for (const source of sources) source.segment(view);
    },
    reserve() {},
    collect(docs, owners, count) {
      const all = sources.map((source) => source.readAll(docs, count));
      for (let i = 0; i < count; i++) {
        const row = all.map(({ starts, values }) => pick(values, starts[i]!, starts[i + 1]!, request.mode));
        if (row.some(Number.isNaN)) continue;
        const bucket = owners ? owners[i]! : 0;
        buckets[bucket] = combine(buckets[bucket] ?? empty(row.length), momentsOf(row));
      }
    },
    partial: (bucket) => buckets[bucket] ?? null,
  };
}

function fieldJson(m: Moments, names: readonly string[], i: number): Record<string, unknown> {
  const n = m.count;
  const co = (a: number, b: number): number => (a === b ? m.m2[a]! : a > b ? m.co[a]![b]! : m.co[b]![a]!);
  const variance = m.m2[i]! / (n - 1);
  const covariance = names.map((name, j) => [name, co(i, j) / (n - 1)]);
  const correlation = names.map((name, j) => [name, i === j ? 1 : co(i, j) / Math.sqrt(m.m2[i]! * m.m2[j]!)]);
  return {
    name: names[i],
    count: n,
    mean: m.mean[i],
    variance,
    skewness: (Math.sqrt(n) * m.m3[i]!) / m.m2[i]! ** 1.5,
    kurtosis: (n * m.m4[i]!) / m.m2[i]! ** 2,
    covariance: Object.fromEntries(covariance),
    correlation: Object.fromEntries(correlation),
  };
}

function reduce(request: MatrixRequest, partials: readonly (Moments | null)[]): Reduced {
  const own = present(partials);
  const all = own.reduce<Moments>(combine, empty(request.fields.length));
  return {
    typedName: 'matrix_stats',
    buckets: null,
    render: (): Record<string, unknown> =>
      all.count === 0
        ? { doc_count: 0 }
        : { doc_count: all.count, fields: request.fields.map((_, i) => fieldJson(all, request.fields, i)) },
  };
}

const missingField: FieldReader<Readonly<Record<string, unknown>>> = (value) => {
  if (!isPlainObject(value)) throw errors.illegalArgument('[missing] must be an object of field names and values');
  return value;
};

/** Means, variances, skewness, kurtosis, covariances and correlations of several fields. */
export const matrixStats: AggregationType<Moments> = {
  name: 'matrix_stats',
  valueKinds: NO_KIND,
  prints: { wholeMembers: ['doc_count', 'count'] },
  parse(site) {
    const fields = readFields(site.body, site, {
      fields: listOf(stringField),
      mode: nameOf(MODES, (text) => errors.illegalArgument(`Illegal sort mode: ${text}`)),
      missing: missingField,
      script: anyField,
    });
    if (!fields.fields || fields.fields.length === 0)
      throw errors.illegalArgument('Required one of fields [fields], but none were specified. ');
    const request: MatrixRequest = { fields: fields.fields, mode: fields.mode ?? 'avg', missing: fields.missing ?? {} };
    return {
      acceptsSubs: false,
      shape: 'metric',
      collector: (build) => collector(build, request),
      reduce: (partials) => reduce(request, partials),
    };
  },
};
