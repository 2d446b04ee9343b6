import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildAnalysisRegistry } from '@shoal/analysis';
import { mappingOptions } from './settings.js';
import { SharedMappings } from './shared-mappings.js';

const fields = (type: string): Record<string, unknown> => ({ properties: { f: { type } } });

function shared(): { mappings: SharedMappings; made: () => number } {
  let count = 0;
  const mappings = new SharedMappings((settings) => {
    count++;
    return mappingOptions(settings, buildAnalysisRegistry({}));
  });
  return { mappings, made: () => count };
}

test('equal mappings and settings are parsed once, whatever else the settings say', () => {
  const { mappings, made } = shared();
  const one = mappings.parse(fields('text'), { 'index.uuid': 'a', 'index.mapping.coerce': 'false' });
  const two = mappings.parse(fields('text'), { 'index.mapping.coerce': 'false', 'index.uuid': 'b' });
  assert.equal(two, one);
  assert.equal(made(), 1);
});

test('another mapping, or a setting that mappings depend on, is parsed for itself', () => {
  const { mappings, made } = shared();
  const json = fields('integer');
  const one = mappings.parse(json, {});
  assert.notEqual(mappings.parse(fields('long'), {}), one);
  const strict = mappings.parse(json, { 'index.mapping.coerce': 'false' });
  assert.notEqual(strict, one);
  assert.equal(strict.options.coerce, false);
  assert.equal(made(), 2);
});

test('an index opens whose runtime fields an earlier build took and this one refuses', () => {
  const { mappings } = shared();
  const runtime = {
    good: { type: 'long' },
    found: { type: 'lookup', target_index: 'i', input_field: 'a' },
    parts: { type: 'composite' },
    odd: { type: 'keyword', ignored: true, format: null },
  };
  const { mapping } = mappings.parse({ runtime, ...fields('text') }, {});
  assert.deepEqual([...mapping.runtime.keys()], ['good']);
  assert.equal(mapping.field('f')!.typeName, 'text');
  assert.equal(mapping.field('found'), null);
  assert.throws(() => mappings.parse({ runtime, ...fields('nonsense') }, {}), /nonsense/);
});

test('an index opens whose time series parameters an earlier build took and this one refuses', () => {
  const { mappings } = shared();
  const host = { type: 'keyword', time_series_dimension: true, ignore_above: 20 };
  const cpu = { type: 'double', time_series_metric: 'gauge', doc_values: false };
  const json = { properties: { host, dc: { properties: { cpu } }, name: { type: 'text', fields: { raw: host } } } };
  const { mapping } = mappings.parse(json, {});
  assert.deepEqual(
    ['host', 'dc.cpu', 'name', 'name.raw'].map((name) => mapping.field(name)!.typeName),
    ['keyword', 'double', 'text', 'keyword'],
  );
  const series = { 'index.mode': 'time_series', 'index.routing_path': 'host' };
  assert.throws(
    () => mappings.parse(json, series),
    /cannot be set in conjunction with field \[time_series_dimension\]/,
  );
  const old = { ...series, 'index.version.created': '8500008' };
  assert.equal(mappings.parse(json, old).mapping.dimensions, null);
  assert.throws(() => mappings.parse({ properties: { host, odd: { type: 'nonsense' } } }, {}), /nonsense/);
});
