// Requests for the HTTP fuzzer: every route of the node's own table, with paths, parameters and bodies that are half
// right.
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from '../node-process.mjs';
import { jsonText, mutateBytes, mutateText, mutateValue } from './mutate.mjs';
import { AGGREGATIONS, DOCUMENTS, MAPPINGS, PIPELINES, QUERIES, SEARCHES, SETTINGS, TEXT_SEEDS } from './seeds.mjs';

const { routes } = await import(pathToFileURL(path.join(root, 'packages/rest/dist/index.js')).href);

/** A node that leaves its cluster answers nothing more: that is no finding. */
const LEFT_OUT = /^(cluster\.post_voting|cluster\.delete_voting|shutdown\.|nodes\.hot_threads)/;
const TABLE = routes.filter((route) => !LEFT_OUT.test(route.name));

const NAMES = {
  index: ['a', 'a', 'a', 'b', 'a,b', 'a*', '*', '_all', 'missing', 'al', 'a,-b', '<a-{now/d}>'],
  id: ['1', '2', 'x', '日本'],
  name: ['a', 't1', 'al', 'x*'],
  alias: ['al', 'x'],
  field: ['k', '*', 'o.k'],
  target: ['c1', 'c2'],
  node_id: ['_local', '_all', 'nope'],
  metric: ['_all', 'indices', 'os,jvm'],
  repository: ['r'],
  snapshot: ['s1', '_all'],
  block: ['write', 'read'],
  task_id: ['x:1'],
  scroll_id: ['abc'],
  new_index: ['ro-2'],
};
const PARAMETER_VALUES = [
  '',
  'true',
  'false',
  '1',
  '0',
  '-1',
  '10',
  '5s',
  '1ms',
  'a',
  'k',
  '*',
  'open',
  'all',
  'none',
  'json',
  'wait_for',
  'external',
  'k:a',
  'n:desc',
  'index',
  'yellow',
];

const searchBody = (random) => ({
  ...random.pick(SEARCHES),
  ...(random.chance(0.6) ? { query: random.pick(QUERIES) } : {}),
  ...(random.chance(0.5) ? { aggs: aggregations(random) } : {}),
});

function aggregations(random) {
  const named = { x: { ...random.pick(AGGREGATIONS) } };
  if (random.chance(0.5))
    named.x.aggs = { m: { avg: { field: 'n' } }, p: random.pick(PIPELINES), y: random.pick(AGGREGATIONS) };
  if (random.chance(0.3)) named.h = { histogram: { field: 'n', interval: 2 }, aggs: { m: { sum: { field: 'n' } } } };
  if (random.chance(0.3)) named.z = random.pick(PIPELINES);
  return named;
}

const analyze = {
  analyzer: 'standard',
  tokenizer: 'standard',
  filter: ['lowercase', { type: 'stop', stopwords: ['a'] }],
  char_filter: ['html_strip'],
  text: ['Quick fox', 'b'],
  field: 't',
  explain: true,
};
const OTHERS = [
  { conditions: { max_docs: 1, max_age: '1d' }, settings: {} },
  {
    actions: [
      { add: { index: 'a', alias: 'al', filter: { term: { k: 'a' } }, routing: '1', is_write_index: true } },
      { remove: { index: 'b', alias: '*' } },
    ],
  },
  { persistent: { 'search.max_buckets': 100 }, transient: { 'cluster.routing.allocation.enable': 'all' } },
  { docs: [{ _index: 'a', _id: '1', _source: ['k'], stored_fields: [] }], ids: ['1'] },
  {
    index_patterns: ['zz*'],
    priority: 5,
    composed_of: ['c'],
    data_stream: {},
    template: { settings: { number_of_replicas: 0 }, mappings: MAPPINGS[0], aliases: { q: {} } },
    version: 1,
    _meta: {},
  },
  { type: 'fs', settings: { location: 'x' } },
  {
    commands: [
      { move: { index: 'a', shard: 0, from_node: 'x', to_node: 'y' } },
      { cancel: { index: 'a', shard: 0, node: 'x', allow_primary: true } },
    ],
  },
  { index: 'a', shard: 0, primary: true },
  { fields: ['k', 'n*'], index_filter: { term: { k: 'a' } }, runtime_mappings: {} },
  { field: 'k', string: 'a', size: 3, case_insensitive: true, index_filter: {}, search_after: 'a' },
  { scroll: '1m', scroll_id: 'abc' },
  { id: 'abc', keep_alive: '1m' },
  { script: { lang: 'mustache', source: '{}' } },
  { description: 'd', processors: [{ set: { field: 'a', value: 1 } }], version: 1 },
];

function lines(random, count, line) {
  const text = Array.from({ length: count }, () => line(random)).join('\n');
  return Buffer.from(random.chance(0.9) ? `${text}\n` : text);
}

function bulkBody(random) {
  const action = () =>
    random.pick([
      { index: { _index: 'a', _id: '1' } },
      { create: { _index: random.pick(['b', 'dyn']), _id: 'n' } },
      { update: { _index: 'a', _id: '1', retry_on_conflict: 1 } },
      { delete: { _index: 'a', _id: '2' } },
    ]);
  return lines(
    random,
    1 + random.below(6),
    () =>
      (random.chance(0.5) ? JSON.stringify(mutateValue(random, action(), QUERIES)) : JSON.stringify(action())) +
      '\n' +
      jsonText(
        random,
        random.chance(0.5)
          ? random.pick(DOCUMENTS)
          : mutateValue(random, { doc: random.pick(DOCUMENTS), doc_as_upsert: true }, DOCUMENTS),
      ).toString(),
  );
}

const msearchBody = (random) =>
  lines(
    random,
    1 + random.below(4),
    () =>
      JSON.stringify(mutateValue(random, { index: 'a', ignore_unavailable: true }, QUERIES)) +
      '\n' +
      jsonText(random, mutateValue(random, searchBody(random), SEARCHES)).toString(),
  );

const templateBody = (random) => ({
  ...(random.chance(0.8) ? { source: JSON.stringify(searchBody(random)) } : { id: 'a' }),
  params: random.pick(DOCUMENTS),
  explain: random.chance(0.5),
});

const scriptBody = (random) => ({
  script: random.pick([
    { lang: 'mustache', source: { query: random.pick(QUERIES) } },
    { lang: 'mustache', source: random.pick(TEXT_SEEDS.template) },
    { lang: 'painless', source: 'ctx._source.n = params.n', params: { n: 1.0 } },
  ]),
});

const executeBody = (random) => ({
  script: { source: "doc['n'].size() + params.n", params: { n: 1.0 } },
  context: random.pick(['painless_test', 'filter', 'score', 'long_field']),
  context_setup: { index: 'a', document: random.pick(DOCUMENTS), query: random.pick(QUERIES) },
});

/** What bodies of a call look like, by its name. */
const SHAPES = [
  [/^bulk$/, bulkBody],
  [/^(render_)?search_template$/, templateBody],
  [/^put_script$/, scriptBody],
  [/^scripts_painless_execute$/, executeBody],
  [/^msearch/, msearchBody],
  [/(search|count|validate|explain|async)/, searchBody],
  [
    /^(index|create|update)$/,
    (random) =>
      random.chance(0.7)
        ? random.pick(DOCUMENTS)
        : { doc: random.pick(DOCUMENTS), upsert: {}, detect_noop: true, _source: true },
  ],
  [/mapping/, (random) => random.pick(MAPPINGS)],
  [/settings/, (random) => random.pick(SETTINGS)],
  [
    /indices\.create$/,
    (random) => ({
      settings: random.pick(SETTINGS),
      mappings: random.pick(MAPPINGS),
      aliases: { x: { filter: random.pick(QUERIES) } },
    }),
  ],
  [/analyze/, () => analyze],
];

function bodyOf(random, route) {
  const shape = SHAPES.find(([name]) => name.test(route.name))?.[1] ?? ((r) => r.pick(OTHERS));
  const body = shape(random);
  if (body instanceof Uint8Array) return random.chance(0.8) ? body : mutateBytes(random, body);
  return jsonText(random, random.chance(0.15) ? body : mutateValue(random, body, [...OTHERS, ...QUERIES, ...SEARCHES]));
}

const encoded = (random, text) =>
  random.chance(0.97)
    ? encodeURIComponent(text.toWellFormed?.() ?? text.replace(/[\ud800-\udfff]/g, ''))
    : text.replace(/[^!-~]/g, '%zz');

function pathOf(random, route) {
  return route.path.replace(/\{(\w+)\}/g, (_all, name) => {
    const known = random.pick(NAMES[name] ?? ['a', 'x']);
    return encoded(random, random.chance(0.9) ? known : mutateText(random, known)) || 'x';
  });
}

function queryOf(random, route) {
  const names = [...(route.parameters ?? []), 'pretty', 'filter_path', 'human', 'error_trace', 'format'];
  const parts = Array.from({ length: random.pick([0, 0, 1, 1, 2, 4]) }, () => {
    const name = random.chance(0.95) ? random.pick(names) : mutateText(random, 'unknown');
    const value = random.chance(0.8) ? random.pick(PARAMETER_VALUES) : mutateText(random, 'a');
    return `${encoded(random, name)}=${encoded(random, value)}`;
  });
  return parts.length === 0 ? '' : `?${parts.join('&')}`;
}

const CONTENT_TYPES = [
  'application/json',
  'application/json',
  'application/json',
  'application/x-ndjson',
  'application/vnd.elasticsearch+json;compatible-with=8',
  'application/yaml',
  'application/cbor',
  'text/plain',
  'application/json; charset=utf-16',
  '',
];

/** One request: { method, target, headers, body }. */
export function anyRequest(random) {
  const route = random.pick(TABLE);
  const method = random.chance(0.98)
    ? random.pick(route.methods)
    : random.pick(['GET', 'POST', 'PUT', 'DELETE', 'HEAD', 'OPTIONS', 'PATCH']);
  const hasBody = method !== 'HEAD' && (route.body === 'none' ? random.chance(0.02) : random.chance(0.9));
  const body = hasBody ? bodyOf(random, route) : null;
  const isLines = route.name === 'bulk' || route.name.startsWith('msearch');
  const type = random.chance(0.95)
    ? isLines
      ? 'application/x-ndjson'
      : 'application/json'
    : random.pick(CONTENT_TYPES);
  const headers = {
    ...(body === null ? {} : { 'content-type': type }),
    ...(random.chance(0.02)
      ? { accept: random.pick(['application/yaml', 'application/cbor', 'text/plain', 'nonsense']) }
      : {}),
    ...(random.chance(0.01) ? { 'x-opaque-id': 'f'.repeat(random.below(500)) } : {}),
  };
  return { method, target: pathOf(random, route) + queryOf(random, route), headers, body };
}
