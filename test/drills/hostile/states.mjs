// Attacks on what the cluster keeps, and by nesting: thousands of aliases and indices, large definitions, deep bodies.
import { once, send } from './send.mjs';

/** Indices that `prepare` makes, as a whole. */
const INDICES = 300;

async function makeIndices(node) {
  if ((await send(node, 'GET', `/many-${INDICES - 1}`)) === 200) return;
  const fields = Object.fromEntries(Array.from({ length: 50 }, (_, i) => [`field_${i}`, { type: 'keyword' }]));
  await send(
    node,
    'PUT',
    '/_index_template/many',
    definition({ index_patterns: ['many-*'], template: { mappings: { properties: fields } } }),
  );
  for (let i = 0; i < INDICES; i++)
    await send(node, 'PUT', `/many-${i}?wait_for_active_shards=0`, definition({ settings: { number_of_replicas: 0 } }));
}

const definition = (value) => JSON.stringify(value);
const json = (method, path, body) => (node) => send(node, method, path, definition(body));
const numbered = (count, make) => Array.from({ length: count }, (_, i) => make(i));
const properties = (count) => Object.fromEntries(numbered(count, (i) => [`f${i}`, { type: 'keyword' }]));
const nested = (depth, open, inner, close) => open.repeat(depth) + inner + close.repeat(depth);

const onMany = (name, run) => once(name, run, { prepare: makeIndices });

const states = [
  onMany(
    '10,000 aliases of one index',
    json('POST', '/_aliases', { actions: numbered(10_000, (i) => ({ add: { index: 'many-0', alias: `a-${i}` } })) }),
  ),
  onMany(
    `40 aliases of ${INDICES} indices`,
    json('POST', '/_aliases', { actions: numbered(40, (i) => ({ add: { index: 'many-*', alias: `b-${i}` } })) }),
  ),
  onMany('names of 300 patterns over all indices', (node) =>
    send(node, 'GET', `/${numbered(300, (i) => `many-${i % 10}*`)}/_alias`),
  ),
  onMany('search of 10,000 patterns in msearch', (node) =>
    send(node, 'POST', '/_msearch', `${definition({ index: numbered(10_000, (i) => `m*n*y-${i}*`) })}\n{}\n`, {
      'content-type': 'application/x-ndjson',
    }),
  ),
  onMany('bulk into 2,000 new indices', (node) =>
    send(node, 'POST', '/_bulk', numbered(2_000, (i) => `{"index":{"_index":"auto-${i}"}}\n{"a":1}\n`).join(''), {
      'content-type': 'application/x-ndjson',
    }),
  ),
  onMany('all mappings with filter_path', (node) =>
    send(node, 'GET', '/_mapping?filter_path=**.field_1*,**.type,-**.field_2'),
  ),
  onMany('the cluster state with filter_path', (node) => send(node, 'GET', '/_cluster/state?filter_path=**.field_1*')),
  onMany('the cluster state, pretty', (node) => send(node, 'GET', '/_cluster/state?pretty')),
  onMany('the cluster state in YAML', (node) => send(node, 'GET', '/_cluster/state?format=yaml')),
  onMany('mapping of all indices', json('PUT', '/many-*/_mapping', { properties: properties(900) })),
  onMany('settings of all indices', json('PUT', '/many-*/_settings', { index: { refresh_interval: '30s' } })),
  once(
    'index template of 20,000 fields',
    json('PUT', '/_index_template/large', {
      index_patterns: ['large-*'],
      template: { mappings: { properties: properties(20_000) } },
    }),
  ),
  once(
    'component template of 100,000 fields',
    json('PUT', '/_component_template/large', { template: { mappings: { properties: properties(100_000) } } }),
  ),
  once('index of 20,000 fields', json('PUT', '/large-index', { mappings: { properties: properties(20_000) } })),
  once(
    'index of 100,000 fields, limit raised',
    json('PUT', '/larger-index', {
      settings: { 'index.mapping.total_fields.limit': 1_000_000 },
      mappings: { properties: properties(100_000) },
    }),
  ),
  once(
    '20,000 unknown settings',
    json('PUT', '/settings-index', { settings: Object.fromEntries(numbered(20_000, (i) => [`index.a${i}`, 1])) }),
  ),
  once(
    '20,000 unknown cluster settings',
    json('PUT', '/_cluster/settings', { persistent: Object.fromEntries(numbered(20_000, (i) => [`a.b${i}`, 1])) }),
  ),
  once(
    'an analyzer of 5,000 filters',
    json('PUT', '/analysis-index', {
      settings: {
        analysis: {
          analyzer: { a: { type: 'custom', tokenizer: 'standard', filter: numbered(5_000, () => 'lowercase') } },
        },
      },
    }),
  ),
  once(
    'synonyms of 2 MB',
    json('PUT', '/synonyms-index', {
      settings: {
        analysis: {
          filter: { s: { type: 'synonym', synonyms: numbered(60_000, (i) => `a${i}, b${i}, c${i} => d${i}`) } },
          analyzer: { a: { tokenizer: 'standard', filter: ['s'] } },
        },
      },
    }),
  ),
  onMany('all indices deleted', (node) =>
    send(node, 'DELETE', `/${numbered(INDICES, (i) => `many-${i}`)}`.slice(0, 4_000).replace(/,[^,]*$/, '')),
  ),
];

const depths = [
  once('bool in bool, 900 deep', (node) =>
    send(node, 'POST', '/_search', `{"query":${nested(440, '{"bool":{"must":', '{"match_all":{}}', '}}')}}`),
  ),
  once('nested aggregations, 400 deep', (node) =>
    send(
      node,
      'POST',
      '/_search',
      `{"aggs":${nested(480, '{"a":{"filter":{"match_all":{}},"aggs":', '{}', '}}').slice(0, 60_000)}`,
    ),
  ),
  once('objects in a mapping, 900 deep', (node) =>
    send(
      node,
      'PUT',
      '/deep-mapping',
      `{"mappings":${nested(440, '{"properties":{"a":', '{"type":"keyword"}', '}}')}}`,
    ),
  ),
  once('multi-fields, 400 deep', (node) => send(node, 'PUT', '/deep-fields', fields(300))),
  once('a source filter of 100,000 levels', json('POST', '/_search', { _source: 'a.'.repeat(100_000) })),
  once('a field of 100,000 levels', json('POST', '/_search', { query: { term: { [`a${'.a'.repeat(100_000)}`]: 1 } } })),
  once(
    'a document with a name of 100,000 levels',
    json('POST', '/deep-name/_doc', { [`a${'.a'.repeat(100_000)}`]: 1 }),
  ),
  once(
    'a mapping with a name of 100,000 levels',
    json('PUT', '/deep-name-2', { mappings: { properties: { [`a${'.a'.repeat(100_000)}`]: { type: 'keyword' } } } }),
  ),
  once(
    'a setting with a name of 100,000 levels',
    json('PUT', '/deep-name-3', { settings: { [`index${'.a'.repeat(100_000)}`]: 1 } }),
  ),
  once('settings, 900 deep', (node) =>
    send(node, 'PUT', '/deep-settings', `{"settings":${nested(900, '{"a":', '1', '}')}}`),
  ),
  once('cluster settings, 900 deep', (node) =>
    send(node, 'PUT', '/_cluster/settings', `{"persistent":${nested(900, '{"a":', '1', '}')}}`),
  ),
  once('metadata of a template, 900 deep', (node) =>
    send(node, 'PUT', '/_component_template/deep', `{"_meta":${nested(900, '{"a":', '1', '}')},"template":{}}`),
  ),
  once('a filtered alias, 400 deep', (node) =>
    send(
      node,
      'PUT',
      '/deep-alias',
      `{"aliases":{"a":{"filter":${nested(400, '{"bool":{"must":', '{"match_all":{}}', '}}')}}}}`,
    ),
  ),
];

/** A keyword with multi-fields in each other. */
const fields = (depth) =>
  `{"mappings":{"properties":{"a":${nested(depth, '{"type":"keyword","fields":{"a":', '{"type":"keyword"}', '}}')}}}}`;

/** All attacks on the state and by nesting. */
export const stateAttacks = [...states, ...depths];
