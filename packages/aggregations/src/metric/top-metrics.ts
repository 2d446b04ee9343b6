import type { Value } from '@shoal/codec';
import { errors } from '@shoal/errors';
import { compareSortValues, parseSort, type SegmentView, shownValue, type SortSpec } from '@shoal/query';
import { doubleNumber, setOwn } from '@shoal/json';
import type { AggregationType, Aggregator, BuildSite } from '../aggregation-type.js';
import { anyField, integerFrom, listOf, objectOf, readFields, stringField } from '../parse/body-fields.js';
import { formatOf, type FormatSpec, formatter, keyFormat, RAW_FORMAT, termJson } from '../source/format.js';
import { numberSource } from '../source/number-source.js';
import { ordinalSource } from '../source/ordinal-source.js';
import { resolveField } from '../source/values-source.js';
import { wholeKey } from '../source/wide-numbers.js';
import { TopHitsCollector } from './top-hits-collect.js';
import { NO_KIND } from '../source/value-kinds.js';
import { present } from '../reduce/present.js';

const SIZE_MAX = 10;

interface TopMetricsRequest {
  readonly metrics: readonly string[];
  readonly sort: readonly SortSpec[];
  readonly size: number;
}

type TopMetricsPartial = {
  /** Sort values and metric values of each document, best first. */
  readonly v: readonly (readonly Value[])[];
  readonly m: readonly (readonly (number | bigint | string | null)[])[];
  readonly f: readonly FormatSpec[];
};

/** Reads one metric of a document, by its number within the shard. */
interface MetricReader {
  readonly format: FormatSpec;
  value(view: SegmentView, doc: number): number | bigint | string | null;
}

function metricReader(build: BuildSite, name: string): MetricReader {
  const field = resolveField(build.context, name, 'terms', 'top_metrics');
  if (!field) return { format: RAW_FORMAT, value: () => null };
  const one = new Int32Array(1);
  const format = keyFormat(field.type, formatOf(field.type, null, null));
  if (field.column === 'ordinals') {
    const source = ordinalSource(field.type.name, undefined);
    return {
      format,
      value(view, doc) {
        source.segment(view);
        one[0] = doc;
        const ordinal = source.read(one, 1)[0]!;
        return ordinal < 0 ? null : source.column!.term(ordinal);
      },
    };
  }
  const source = numberSource(field.type, Number.NaN, undefined);
  return {
    format,
    value(view, doc) {
      source.segment(view);
      one[0] = doc;
      if (source.column?.kind === 'long' && !source.column.isExact) return wholeOrNull(source.column.bigs(doc)[0]);
      const value = source.read(one, 1)[0]!;
      return Number.isNaN(value) ? null : value;
    },
  };
}

const wholeOrNull = (value: bigint | undefined): number | bigint | null =>
  value === undefined ? null : wholeKey(value);

function collector(request: TopMetricsRequest, build: BuildSite): Aggregator<TopMetricsPartial> {
  const top = new TopHitsCollector(build, request.sort, request.size);
  const readers = request.metrics.map((name) => metricReader(build, name));
  const { segments } = build.context.searcher;
  const metricsOf = (doc: number): (number | bigint | string | null)[] => {
    const view = segments.findLast((one) => one.docBase <= doc)!;
    return readers.map((reader) => reader.value(view, doc - view.docBase));
  };
  return {
    segment: (view) => top.segment(view),
    reserve: (buckets) => top.reserve(buckets),
    collect: (docs, buckets, count, scores) => top.collect(docs, buckets, count, scores),
    partial(bucket) {
      const { hits } = top.hits(bucket);
      return {
        v: hits.map((hit) => hit.values),
        m: hits.map((hit) => metricsOf(hit.doc)),
        f: readers.map((reader) => reader.format),
      };
    },
  };
}

function shown(value: number | bigint | string | null, spec: FormatSpec): unknown {
  if (value === null || spec.k === 'unsigned' || typeof value === 'bigint') return value;
  if (typeof value === 'string') return termJson(spec, value);
  return spec.k === 'double' ? doubleNumber(value) : (formatter(spec).shown(value) ?? value);
}

/** Metrics of the documents that come first in a sort. */
export const topMetrics: AggregationType<TopMetricsPartial> = {
  name: 'top_metrics',
  valueKinds: NO_KIND,
  prints: 'whole',
  parse(site) {
    const fields = readFields(site.body, site, {
      metrics: listOf(objectOf({ field: stringField })),
      sort: anyField,
      size: integerFrom(1, 'size'),
    });
    const sort = parseSort(fields.sort, site.context);
    const metrics = (fields.metrics ?? []).map((metric) => metric.field ?? '');
    if (metrics.length === 0 || sort.length === 0)
      throw errors.illegalArgument(`Required [${metrics.length === 0 ? 'metrics' : 'sort'}]`);
    const size = fields.size ?? 1;
    if (size > SIZE_MAX)
      throw errors.illegalArgument(
        `[top_metrics.size] must not be more than [${SIZE_MAX}] but was [${size}]. This limit can be set by ` +
          'changing the [index.top_metrics_max_size] index level setting.',
      );
    const request: TopMetricsRequest = { metrics, sort, size };
    return {
      acceptsSubs: false,
      shape: 'metric',
      needsScores: sort.some((spec) => spec.kind === 'score'),
      collector: (build) => collector(request, build),
      reduce(partials) {
        const own = present(partials);
        const all = own
          .flatMap((p) => p.v.map((values, i) => ({ values, metrics: p.m[i]!, formats: p.f })))
          .sort((a, b) => compareSortValues(sort, a.values, b.values))
          .slice(0, size);
        const top = all.map(({ values, metrics: found, formats }) => {
          const json: Record<string, unknown> = {};
          metrics.forEach((name, i) => setOwn(json, name, shown(found[i]!, formats[i]!)));
          return { sort: values.map(shownValue), metrics: json };
        });
        const first = all[0];
        return {
          typedName: 'top_metrics',
          buckets: null,
          value(property) {
            const at = property === null ? 0 : metrics.indexOf(property);
            const value = first?.metrics[at];
            return at < 0 ? undefined : typeof value === 'number' || typeof value === 'bigint' ? Number(value) : null;
          },
          render: () => ({ top }),
        };
      },
    };
  },
};
