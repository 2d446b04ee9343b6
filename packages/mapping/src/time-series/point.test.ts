import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildAnalysisRegistry } from '@shoal/analysis';
import { toApiError } from '@shoal/errors';
import { type Mapping, type MappingOptions, mappingOptions, parseMapping } from '../index.js';
import { pointId, pointOf, routingHash } from './point.js';
import { decodeSeries, encodeSeries, seriesJson, seriesText } from './series-id.js';

const SETTINGS = { 'index.mode': 'time_series', 'index.routing_path': ['host', 'dc.*'] };
const options: MappingOptions = mappingOptions(SETTINGS, buildAnalysisRegistry({}));
function reasonOf(run: () => unknown): string {
  try {
    run();
  } catch (thrown) {
    return toApiError(thrown).reason ?? '';
  }
  return '';
}

const DIMENSION = { time_series_dimension: true };
const PROPERTIES = {
  '@timestamp': { type: 'date' },
  host: { type: 'keyword', ...DIMENSION },
  n: { type: 'long', ...DIMENSION },
  ip: { type: 'ip', ...DIMENSION },
  dc: { properties: { a: { type: 'keyword', ...DIMENSION } } },
  v: { type: 'double', time_series_metric: 'gauge' },
};
const mapping: Mapping = parseMapping({ properties: PROPERTIES }, options);

function idOf(source: object, of: Mapping = mapping): string {
  const bytes = Buffer.from(JSON.stringify(source));
  const point = pointOf(of, bytes, { id: null, nowMs: 0 }, options);
  return pointId(routingHash(bytes, options.timeSeries?.routingPath ?? []), point);
}

test('ids are those that Elasticsearch 8.12 gives the same documents', () => {
  const first = { '@timestamp': '2024-01-01T10:00:00Z', host: 'a', n: 5, ip: '1.2.3.4', dc: { a: 'x' }, v: 1.5 };
  assert.equal(idOf(first), 'ZTUXFpIJTSpWKrjoAAABjMR3RQA');
  assert.equal(idOf({ '@timestamp': '2024-01-01T11:00:00Z', host: 4 }), 'pp3Dpc5_Q1KITgoCAAABjMSuM4A');
  assert.equal(idOf({ '@timestamp': '2024-01-01T11:00:00Z', host: 'b', n: 4 }), 'LS8s0djO5wYC8zLhAAABjMSuM4A');
  assert.equal(idOf({ '@timestamp': 1704114000000, host: 'z', 'dc.a': 'p' }), 'Y5uHL8RSy8ve09soAAABjMUcEIA');
});

test('the id of a document does not depend on whether its dimensions are mapped already', () => {
  const dynamic_templates = [{ all: { match_mapping_type: 'string', mapping: { type: 'keyword', ...DIMENSION } } }];
  const bare = parseMapping({ dynamic_templates, properties: { '@timestamp': { type: 'date' } } }, options);
  const document = { '@timestamp': 0, host: 'b', dc: { a: 'q' } };
  assert.equal(idOf(document, bare), idOf(document));
});

test('a series is decoded to its dimensions', () => {
  const dimensions = new Map<string, string | bigint>([
    ['host', 'ä'.repeat(100)],
    ['n', -5n],
    ['u', 2n ** 63n],
  ]);
  const series = encodeSeries(dimensions);
  assert.deepEqual(decodeSeries(series), dimensions);
  assert.deepEqual(seriesJson(series), { host: 'ä'.repeat(100), n: -5, u: 2n ** 63n });
  assert.equal(seriesText(encodeSeries(new Map([['host', 'a']]))), '{host=a}');
});

test('documents that are no points are refused in the words of 8.12', () => {
  const refused = (source: object): string => reasonOf(() => idOf(source));
  const host = 'a';
  assert.equal(refused({ host }), '[1:12] failed to parse: data stream timestamp field [@timestamp] is missing');
  assert.equal(
    refused({ '@timestamp': [0, 1], host }),
    '[1:31] failed to parse: data stream timestamp field [@timestamp] encountered multiple values',
  );
  assert.match(refused({ '@timestamp': 0, host, n: [1, 2] }), /Dimension field \[n\] cannot be a multi-valued field/);
  assert.equal(
    refused({ '@timestamp': 0, n: 4 }),
    "Error extracting routing: source didn't contain any routing fields",
  );
  assert.equal(
    refused({ '@timestamp': 0, host: ['a'] }),
    'Error extracting routing: Routing values must be strings but found [START_ARRAY]',
  );
});

test('mappings that contradict the mode or themselves are refused in the words of 8.12', () => {
  const refused = (properties: object): string => reasonOf(() => parseMapping({ properties }, options));
  assert.match(refused({ host: { type: 'keyword' } }), /\[host\] was not a dimension\.$/);
  assert.match(refused({ host: { type: 'long' } }), /\[host\] was \[long\]\.$/);
  assert.match(
    refused({ n: { type: 'nested' } }),
    /cannot have nested fields when index is in \[index\.mode=time_series\]/,
  );
  assert.match(
    refused({ '@timestamp': { type: 'keyword' } }),
    /data stream timestamp field \[@timestamp\] is of type \[keyword\], but \[date,date_nanos\] is expected/,
  );
  assert.equal(
    refused({ n: { type: 'long', time_series_metric: 'gauge', ...DIMENSION } }),
    'Failed to parse mapping: Field [time_series_dimension] cannot be set in conjunction with field ' +
      '[time_series_metric]',
  );
  assert.equal(
    refused({ k: { type: 'keyword', ignore_above: 3, ...DIMENSION } }),
    'Failed to parse mapping: Field [ignore_above] cannot be set in conjunction with field [time_series_dimension]',
  );
});
