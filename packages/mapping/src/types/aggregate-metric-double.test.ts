import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fieldTable, refusesDefinitions } from '../testing/field-table.js';

const type = 'aggregate_metric_double';
const METRICS = ['value_count', 'min', 'max', 'sum'];
const field = fieldTable({ type, metrics: METRICS, default_metric: 'max' });
const VALUE = { min: -1, max: 2.5, sum: 3, value_count: 4 };

test('the default metric is the column of the field, the others have their own', () => {
  field.keeps({ terms: null, column: 'double', points: true });
  field.indexes([
    [VALUE, { 'f.min': [-1], f: [2.5], 'f.sum': [3], 'f.value_count': [4] }],
    [null, {}],
  ]);
  fieldTable({ type, metrics: ['value_count'] }).keeps({ terms: null, column: 'long', points: true });
});

test('queries and fields take the default metric', () => {
  field.terms([[2.5, { kind: 'number', low: 2.5, high: 2.5 }]]);
  field.ranges([
    [
      { gte: 1, lte: 3 },
      { kind: 'number', low: 1, high: 3 },
    ],
  ]);
  assert.equal(field.type.fetchValue(VALUE, null), 2.5);
  assert.equal(field.type.isAggregatable, true);
});

test('values without a metric, with a metric too many, or with anything but numbers are refused', () => {
  const illegal = 'illegal_argument_exception: ';
  field.refuses([
    [{ min: 1, max: 2 }, `${illegal}Aggregate metric field [f] must contain all metrics [min, max, sum, value_count]`],
    [
      { ...VALUE, avg: 1 },
      `${illegal}No enum constant org.elasticsearch.xpack.aggregatemetric.mapper.` +
        'AggregateDoubleMetricFieldMapper.Metric.avg',
    ],
    [
      { ...VALUE, value_count: -1 },
      `${illegal}Aggregate metric [value_count] of field [f] cannot be a negative number`,
    ],
    [{ ...VALUE, value_count: 1.5 }, `${illegal}1.5 cannot be converted to Integer without data loss`],
    [
      { ...VALUE, min: 'x' },
      'parsing_exception: Failed to parse object: expecting token of type [VALUE_NUMBER] but found [VALUE_STRING]',
    ],
    [3, 'parsing_exception: Failed to parse object: expecting token of type [START_OBJECT] but found [VALUE_NUMBER]'],
    [
      [VALUE, VALUE],
      `${illegal}Field [f] of type [${type}] does not support indexing multiple values for the same field in the ` +
        'same document',
    ],
  ]);
  fieldTable({ type, metrics: ['min'] }).refuses([
    [{ max: 1 }, `${illegal}Aggregate metric [max] does not exist in the mapping of field [f]`],
  ]);
});

test('metrics are required, and which of several is the default', () =>
  refusesDefinitions([
    [{ type }, 'illegal_argument_exception: Property [metrics] is required for field [f].'],
    [{ type, metrics: [] }, 'illegal_argument_exception: Property [metrics] is required for field [f].'],
    [{ type, metrics: ['p50'] }, 'illegal_argument_exception: Metric [p50] is not supported.'],
    [
      { type, metrics: ['min', 'max'] },
      'illegal_argument_exception: Property [default_metric] is required for field [f].',
    ],
    [
      { type, metrics: ['min'], default_metric: 'sum' },
      'illegal_argument_exception: Default metric [sum] is not defined in the metrics of field [f].',
    ],
    [{ type, metrics: ['min'], default_metric: 'x' }, 'illegal_argument_exception: Metric [x] is not supported.'],
  ]));
