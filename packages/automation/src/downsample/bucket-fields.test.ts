import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createIndexMappings } from '@shoal/cluster';
import type { JsonObject } from '@shoal/json';
import { bucketFields } from './bucket-fields.js';

const SETTINGS = { 'index.mode': 'time_series', 'index.routing_path': ['host'] };

function fieldsOf(properties: object): ReturnType<typeof bucketFields> {
  const mappings = createIndexMappings();
  return bucketFields(
    mappings.parse({ properties: { '@timestamp': { type: 'date' }, ...properties } }, mappings.options(SETTINGS)),
  );
}

const names = (properties: object): string[] => fieldsOf(properties).map(({ name }) => name);

test('dimensions and the time are no values of a bucket, texts are those of a multi-field with doc values', () => {
  const host = { type: 'keyword', time_series_dimension: true };
  assert.deepEqual(names({ host }), []);
  assert.deepEqual(names({ host, label: { type: 'keyword' }, sent: { type: 'long', time_series_metric: 'counter' } }), [
    'label',
    'sent',
  ]);
  assert.deepEqual(names({ text: { type: 'text' } }), []);
  assert.deepEqual(names({ text: { type: 'text', fields: { a: { type: 'keyword' }, b: { type: 'keyword' } } } }), [
    'text',
  ]);
  assert.deepEqual(names({ tag: { type: 'keyword', fields: { n: { type: 'long' } } } }), ['tag']);
  assert.deepEqual(names({ off: { type: 'keyword', doc_values: false }, flat: { type: 'flattened' } }), []);
});

test('a gauge that was downsampled before keeps the metrics that it has', () => {
  const load = {
    type: 'aggregate_metric_double',
    metrics: ['max', 'sum'],
    default_metric: 'max',
    time_series_metric: 'gauge',
  };
  const [field] = fieldsOf({ load });
  const id = Object.keys(field!.aggregations)[0]!.split('.')[0]!;
  const bucket: JsonObject = {
    [`${id}.max`]: { value: 3 },
    [`${id}.sum`]: { value: 5 },
    [`${id}.found`]: { doc_count: 2 },
  };
  assert.deepEqual(field!.value(bucket), { max: 3, sum: 5 });
  assert.equal(field!.value({ ...bucket, [`${id}.found`]: { doc_count: 0 } }), undefined);
});

test('a label has one value, or several', () => {
  const [field] = fieldsOf({ label: { type: 'keyword' } });
  const [id] = Object.keys(field!.aggregations);
  const hit = (fields: object): JsonObject => ({ [id!]: { last: { hits: { hits: [{ fields }] } } } });
  assert.equal(field!.value(hit({ label: ['x'] })), 'x');
  assert.deepEqual(field!.value(hit({ label: ['x', 'y'] })), ['x', 'y']);
  assert.equal(field!.value({ [id!]: { last: { hits: { hits: [] } } } }), undefined);
});
