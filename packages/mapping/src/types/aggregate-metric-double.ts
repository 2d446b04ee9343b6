import { withCapabilities } from '../field-capabilities.js';
import { errors } from '@shoal/errors';
import { isPlainObject } from '@shoal/json';
import type { FieldLayout } from '@shoal/segments';
import { AGGREGATE_METRICS, type AggregateMetric, type DocumentSink, type FieldType } from '../field-type.js';
import { simpleTokenName } from '../document-fault.js';
import { ignoreMalformed, javaText, meta, parameter, timeSeriesMetric } from '../parameter.js';
import { double } from './decimals.js';
import { type FieldConfig, fieldType, type FieldTypeDefinition, numberLayout } from './definition.js';
import { mayIgnore, readOrIgnore, readWhole, long, WHOLE_KINDS } from './whole-numbers.js';

/** Metrics in the order in which messages show them. */

function parseMetric(value: unknown): AggregateMetric {
  const metric = AGGREGATE_METRICS.find((name) => name === javaText(value));
  if (metric === undefined) throw errors.illegalArgument(`Metric [${javaText(value)}] is not supported.`);
  return metric;
}

function parseMetrics(value: unknown): readonly AggregateMetric[] {
  const given = (Array.isArray(value) ? (value as unknown[]) : javaText(value).split(',')).map(parseMetric);
  return AGGREGATE_METRICS.filter((metric) => given.includes(metric));
}

const nameOfEnum = 'org.elasticsearch.xpack.aggregatemetric.mapper.AggregateDoubleMetricFieldMapper.Metric';

function readMetric(field: string, metric: AggregateMetric, value: unknown): number {
  if (typeof value !== 'number' && typeof value !== 'bigint')
    throw errors.parsing(
      `Failed to parse object: expecting token of type [VALUE_NUMBER] but found [${simpleTokenName(value)}]`,
    );
  if (metric !== 'value_count') {
    const number = Number(value);
    if (Number.isFinite(number)) return number;
    throw errors.illegalArgument(`[double] supports only finite values, but got [${javaText(value)}]`);
  }
  const count = Number(readWhole(WHOLE_KINDS.integer, value, false));
  if (count < 0)
    throw errors.illegalArgument(`Aggregate metric [${metric}] of field [${field}] cannot be a negative number`);
  return count;
}

/** Reads the metrics of a value; each that the mapping names must be there. */
function readValue(field: string, metrics: readonly AggregateMetric[], value: unknown): Map<AggregateMetric, number> {
  if (!isPlainObject(value))
    throw errors.parsing(
      `Failed to parse object: expecting token of type [START_OBJECT] but found [${simpleTokenName(value)}]`,
    );
  const found = new Map<AggregateMetric, number>();
  for (const [name, each] of Object.entries(value)) {
    const metric = AGGREGATE_METRICS.find((known) => known === name);
    if (metric === undefined) throw errors.illegalArgument(`No enum constant ${nameOfEnum}.${name}`);
    if (!metrics.includes(metric))
      throw errors.illegalArgument(`Aggregate metric [${name}] does not exist in the mapping of field [${field}]`);
    found.set(metric, readMetric(field, metric, each));
  }
  if (found.size < metrics.length)
    throw errors.illegalArgument(`Aggregate metric field [${field}] must contain all metrics [${metrics.join(', ')}]`);
  return found;
}

function defaultOf(config: FieldConfig, metrics: readonly AggregateMetric[]): AggregateMetric {
  const given = config.value('default_metric') as AggregateMetric | null;
  if (given === null && metrics.length === 1) return metrics[0]!;
  if (given === null) throw errors.illegalArgument(`Property [default_metric] is required for field [${config.name}].`);
  if (!metrics.includes(given))
    throw errors.illegalArgument(`Default metric [${given}] is not defined in the metrics of field [${config.name}].`);
  return given;
}

/** The columns of the metrics: that of the default metric has the name of the field and answers queries. */
function layoutsOf(
  name: string,
  metrics: readonly AggregateMetric[],
  main: AggregateMetric,
): Map<AggregateMetric, FieldLayout> {
  return new Map(
    metrics.map((metric) => [
      metric,
      numberLayout(
        metric === main ? name : `${name}.${metric}`,
        metric === 'value_count' ? 'long' : 'double',
        metric === main,
        true,
      )!,
    ]),
  );
}

function create(config: FieldConfig): FieldType {
  const { name } = config;
  const metrics = config.value('metrics') as readonly AggregateMetric[] | null;
  if (metrics === null || metrics.length === 0)
    throw errors.illegalArgument(`Property [metrics] is required for field [${name}].`);
  const main = defaultOf(config, metrics);
  const layouts = layoutsOf(name, metrics, main);
  const ignores = config.boolean('ignore_malformed');
  const add = (value: unknown, sink: DocumentSink): void => {
    const found = readOrIgnore(mayIgnore(ignores, value), name, sink, () => readValue(name, metrics, value));
    if (found === null) return;
    if (sink.valuesOf(name).length > 0)
      throw errors.illegalArgument(
        `Field [${name}] of type [${config.typeName}] does not support indexing multiple values for the same field ` +
          'in the same document',
      );
    for (const [metric, layout] of layouts) sink.addNumber(layout, found.get(metric)!);
  };
  const numbers = (main === 'value_count' ? long : double).create(plainConfig(config));
  return fieldType(config, {
    layout: layouts.get(main)!,
    valueKind: numbers.valueKind,
    metricColumns: new Map([...layouts].map(([metric, layout]) => [metric, layout.name])),
    parse: (value, sink) => (value === null ? undefined : add(value, sink)),
    termQuery: (value, context) => numbers.termQuery(value, context),
    rangeQuery: (bounds, context) => numbers.rangeQuery(bounds, context),
    format: (format, timeZone) => numbers.format(format, timeZone),
    fetchValue: (value) => (isPlainObject(value) ? (value[main] ?? undefined) : undefined),
  });
}

/** What a plain number of the name is made of, for queries and formats. */
function plainConfig(config: FieldConfig): FieldConfig {
  return {
    ...config,
    isSet: () => false,
    boolean: (parameter) => parameter === 'index' || parameter === 'doc_values' || parameter === 'coerce',
    value: () => null,
    maybeText: () => null,
  };
}

/** `aggregate_metric_double`: least, greatest, sum and number of values that a document stands for, as one value. */
export const aggregateMetricDouble: FieldTypeDefinition = {
  name: 'aggregate_metric_double',
  capabilities: withCapabilities({ floatBits: 64 }),
  parameters: [
    ignoreMalformed,
    parameter('metrics', null, parseMetrics, { isAlwaysShown: true }),
    parameter('default_metric', null, parseMetric, { isShownWhenSet: true }),
    meta,
    timeSeriesMetric,
  ],
  create,
};
