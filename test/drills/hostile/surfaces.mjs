// Attacks on what builds upon documents and searches: scripts, runtime fields, pipelines, policies, templates, machine
// learning, vectors, joins, snapshots; and on HTTP itself.
import { gzipSync } from 'node:zlib';
import { answerOf, connect } from './send.mjs';
import { fillVectors, vectorSearches } from './vectors.mjs';

const KB = 1024;
const MB = 1024 * KB;
const NDJSON = { 'content-type': 'application/x-ndjson' };
const list = (count, make) => Array.from({ length: count }, (_, i) => make(i));
const nest = (depth, inner, wrap) => {
  let value = inner;
  for (let i = 0; i < depth; i++) value = wrap(value);
  return value;
};
const textOf = (body) => (body === undefined || typeof body === 'string' ? (body ?? '') : JSON.stringify(body));
const lines = (values) => `${values.map((value) => JSON.stringify(value)).join('\n')}\n`;

/** Small documents, vectors, parents with children, nested objects. */
async function fill(call) {
  const settings = { number_of_shards: 1, number_of_replicas: 0 };
  const properties = {
    k: { type: 'keyword' },
    n: { type: 'long' },
    when: { type: 'date' },
    t: { type: 'text' },
    where: { type: 'geo_point' },
    joined: { type: 'join', relations: { parent: 'child' } },
    nest: { type: 'nested', properties: { a: { type: 'keyword' } } },
  };
  await call('PUT', '/docs', { settings, mappings: { properties } });
  for (let part = 0; part < 5; part++) {
    const documents = list(4_000, (i) => [
      { index: { _id: `${part * 4_000 + i}`, routing: '1' } },
      {
        k: `key${part * 4_000 + i}`,
        n: i,
        when: 1.6e12 + i * 3_600_000,
        t: `some words about ${i % 97} things and ${i % 13} others`,
        where: [(i % 360) - 180, (i % 180) - 90],
        joined: i % 50 === 0 ? 'parent' : { name: 'child', parent: `${part * 4_000 + i - (i % 50)}` },
        nest: list(5, (j) => ({ a: `a${(i + j) % 20}` })),
      },
    ]);
    await call('POST', '/docs/_bulk', lines(documents.flat()));
  }
  await fillVectors(call);
  await call('POST', '/_refresh');
}

const of = (method, path, body, headers) => ({ method, path, body, headers });
const search = (body) => of('POST', '/docs/_search', body);
const script = (source, more = {}) => ({ script: { source, ...more } });
const LOOP = 'long n = 0; for (int i = 0; i < 100000000; i++) { n += i; } return n';
const GROW = "String s = 'x'; for (int i = 0; i < 40; i++) { s += s; } return s";
const LISTS = 'List l = new ArrayList(); for (int i = 0; i < 100000000; i++) { l.add(new HashMap()); } return l.size()';

const SCRIPTS = {
  'script field that loops': search(() => ({ size: 1000, script_fields: { a: script(LOOP) } })),
  'script field that doubles a text': search(() => ({ size: 1000, script_fields: { a: script(GROW) } })),
  'script field that fills lists': search(() => ({ size: 1000, script_fields: { a: script(LISTS) } })),
  'script field of 1 MB each, 10,000 hits': search(() => ({
    size: 10_000,
    script_fields: { a: script("String s = 'x'; for (int i = 0; i < 20; i++) { s += s; } return s") },
  })),
  'script query that loops a little': search(() => ({
    query: {
      bool: { filter: { script: script('int n = 0; for (int i = 0; i < 9000; i++) { n += i } return n > 0') } },
    },
  })),
  'script of 60 KB': search(() => ({ script_fields: { a: script(`return ${'1+'.repeat(30_000)}1`) } })),
  'script of brackets': search(() => ({ script_fields: { a: script('('.repeat(60_000)) } })),
  'script of 30,000 statements': search(() => ({ script_fields: { a: script('a();'.repeat(15_000)) } })),
  'script with nested lambdas': search(() => ({
    script_fields: { a: script(`return ${'[1].stream().map(x -> '.repeat(200)}1${')'.repeat(200)}`) },
  })),
  'script with a slow regular expression': search(() => ({
    script_fields: { a: script(`return /(a+)+b/.matcher('${'a'.repeat(5_000)}').find()`) },
  })),
  'script parameters of 9 MB': search(() => ({
    query: { bool: { filter: { script: script('return true', { params: { a: list(400_000, (i) => i) } }) } } },
  })),
  'scripted_metric that keeps all, 100 MB of results': search(() => ({
    size: 0,
    aggs: {
      a: {
        scripted_metric: {
          init_script: 'state.l = []',
          map_script: "String s = 'x'; for (int i = 0; i < 13; i++) { s += s } state.l.add(s)",
          combine_script: 'return state.l',
          reduce_script: 'return states',
        },
      },
    },
  })),
  'scripted_metric in terms of 10,000': search(() => ({
    size: 0,
    aggs: {
      k: {
        terms: { field: 'k', size: 10_000 },
        aggs: {
          a: {
            scripted_metric: {
              init_script: 'state.l = []',
              map_script: 'state.l.add(doc.n.value)',
              combine_script: 'return state.l',
              reduce_script: 'return states',
            },
          },
        },
      },
    },
  })),
  'script sort of 20,000': search(() => ({
    sort: { _script: { type: 'string', script: { source: "'' + doc.n.value + doc.k.value" } } },
    size: 10_000,
  })),
  'bucket_script in 10,000 buckets': search(() => ({
    size: 0,
    aggs: {
      k: {
        terms: { field: 'k', size: 10_000 },
        aggs: {
          m: { max: { field: 'n' } },
          b: { bucket_script: { buckets_path: { m: 'm' }, script: 'params.m * 2' } },
        },
      },
    },
  })),
  'moving_fn with a window of 100,000': search(() => ({
    size: 0,
    aggs: {
      h: {
        date_histogram: { field: 'when', fixed_interval: '1h' },
        aggs: {
          m: { max: { field: 'n' } },
          f: { moving_fn: { buckets_path: 'm', window: 100_000, script: 'MovingFunctions.stdDev(values, 1.0)' } },
        },
      },
    },
  })),
  'execute of a script with a document of 9 MB': of('POST', '/_scripts/painless/_execute', () => ({
    ...script('return true'),
    context: 'filter',
    context_setup: { index: 'docs', document: { t: 'word '.repeat(1_800_000) } },
  })),
};

const RUNTIME = {
  '1,000 runtime fields': search(() => ({
    runtime_mappings: Object.fromEntries(
      list(1000, (i) => [`r${i}`, { type: 'long', ...script('emit(doc.n.value)') }]),
    ),
    fields: ['r*'],
    size: 1000,
  })),
  'runtime field that emits for ever': search(() => ({
    runtime_mappings: { r: { type: 'long', ...script('for (;;) { emit(1) }') } },
    aggs: { a: { terms: { field: 'r' } } },
  })),
  'runtime field of source, aggregated': search(() => ({
    runtime_mappings: { r: { type: 'keyword', ...script('emit(params._source.toString())') } },
    aggs: { a: { terms: { field: 'r', size: 10_000 } } },
    size: 0,
  })),
  'runtime lookups of 10,000 hits': search(() => ({
    runtime_mappings: {
      r: { type: 'lookup', target_index: 'docs', input_field: 'k', target_field: 'k', fetch_fields: ['n'] },
    },
    fields: ['r'],
    size: 10_000,
  })),
  'runtime grok of long texts': search(() => ({
    runtime_mappings: {
      r: { type: 'keyword', ...script("emit(grok('%{DATA:a}%{DATA:b}%{DATA:c}!').extract(doc.k.value)?.a ?? 'x')") },
    },
    aggs: { a: { terms: { field: 'r' } } },
  })),
};

const simulate = (processors, docs) =>
  of('POST', '/_ingest/pipeline/_simulate', () => ({ pipeline: { processors }, docs: docs() }));
const INGEST = {
  '_simulate of 100,000 documents': simulate([{ set: { field: 'a', value: 1 } }], () =>
    list(100_000, () => ({ _source: {} })),
  ),
  '_simulate?verbose, 1,000 processors over 500 documents': of('POST', '/_ingest/pipeline/_simulate?verbose', () => ({
    pipeline: { processors: list(1000, (i) => ({ set: { field: `f${i}`, value: 'v'.repeat(100) } })) },
    docs: list(500, () => ({ _source: { a: 1 } })),
  })),
  '_simulate with a value that doubles 40 times': simulate(
    list(40, () => ({ set: { field: 'a', value: '{{a}}{{a}}' } })),
    () => [{ _source: { a: 'xxxxxxxx' } }],
  ),
  '_simulate with foreach in foreach in foreach': simulate(
    [nest(8, { set: { field: 'x', value: 1 } }, (processor) => ({ foreach: { field: 'a', processor } }))],
    () => [{ _source: { a: list(60, (i) => i) } }],
  ),
  '_simulate of 900 nested on_failure': simulate(
    [nest(400, { fail: { message: 'x' } }, (one) => ({ fail: { message: 'x', on_failure: [one] } }))],
    () => [{ _source: {} }],
  ),
  'pipeline of 50,000 processors': of('PUT', '/_ingest/pipeline/many', () => ({
    processors: list(50_000, (i) => ({ set: { field: `f${i}`, value: i } })),
  })),
  'pipeline of 1,000 grok patterns': of('PUT', '/_ingest/pipeline/groks', () => ({
    processors: list(1000, (i) => ({ grok: { field: 't', patterns: [`%{IP:a${i}} %{COMBINEDAPACHELOG}`] } })),
  })),
  'grok with definitions that grow': of('PUT', '/_ingest/pipeline/growing', () => ({
    processors: [
      {
        grok: {
          field: 't',
          patterns: ['%{P29}'],
          pattern_definitions: Object.fromEntries(
            list(30, (i) => [`P${i}`, i === 0 ? 'xxxx' : `%{P${i - 1}}%{P${i - 1}}`]),
          ),
        },
      },
    ],
  })),
  'simulated index templates of 20,000 patterns': of('POST', '/_index_template/_simulate', () => ({
    index_patterns: list(20_000, (i) => `a*b${i}*`),
  })),
  '_simulate of an index, 10,000 documents': of('POST', '/_ingest/_simulate', () => ({
    docs: list(10_000, (i) => ({ _index: `new-${i % 500}`, _source: { a: i } })),
    pipeline_substitutions: {},
  })),
};

const TEMPLATES = {
  'mustache loop in loop in loop': of('POST', '/_render/template', () => ({
    source: '{{#a}}{{#a}}{{#a}}{{#a}}x{{/a}}{{/a}}{{/a}}{{/a}}',
    params: { a: list(100, (i) => i) },
  })),
  'mustache of 1 MB of tags': of('POST', '/_render/template', () => ({
    source: '{{a}}'.repeat(200_000),
    params: { a: 1 },
  })),
  'mustache of 10,000 open sections': of('POST', '/_render/template', () => ({
    source: '{{#a}}'.repeat(10_000) + '{{/a}}'.repeat(10_000),
    params: { a: true },
  })),
  'mustache toJson of 9 MB in a loop': of('POST', '/_render/template', () => ({
    source: '{{#b}}{{#toJson}}a{{/toJson}}{{/b}}',
    params: { a: 'x'.repeat(MB), b: list(1000, (i) => i) },
  })),
  'search template that becomes 100 MB': of('POST', '/docs/_search/template', () => ({
    source: '{"query":{"terms":{"k":[{{#a}}{{#a}}"xxxxxxxxxx",{{/a}}{{/a}}"y"]}}}',
    params: { a: list(3000, (i) => i) },
  })),
  '_msearch/template of 10,000': of(
    'POST',
    '/docs/_msearch/template',
    () => lines(list(10_000, (i) => [{}, { source: '{"size":{{n}}}', params: { n: i % 2 } }]).flat()),
    NDJSON,
  ),
};

const POLICIES = {
  'ILM policy of 9 MB': of('PUT', '/_ilm/policy/big', () => ({
    policy: { _meta: { a: list(400_000, (i) => i) }, phases: {} },
  })),
  'SLM policy with a cron of 60 KB': of('PUT', '/_slm/policy/big', () => ({
    schedule: `0 ${list(20_000, (i) => i % 60).join(',')} * * * ?`,
    name: '<snap-{now/d}>',
    repository: 'none',
  })),
  'SLM policy with a cron that never fires': of('PUT', '/_slm/policy/never', () => ({
    schedule: '0 0 0 30 2 ?',
    name: 'snap',
    repository: 'none',
  })),
  'repository of 1 MB of settings': of('PUT', '/_snapshot/big', () => ({
    type: 'fs',
    settings: { location: '/x', ...Object.fromEntries(list(20_000, (i) => [`a${i}`, 'x'.repeat(30)])) },
  })),
  'repository at an S3 address that is nobody': of('PUT', '/_snapshot/s3', () => ({
    type: 's3',
    settings: { bucket: 'b'.repeat(60 * KB), endpoint: 'http://127.0.0.1:1' },
  })),
  'data streams by date math': of('PUT', `/_data_stream/${encodeURIComponent(`<${'a'.repeat(200)}{now/d{YYYY}}>`)}`),
  'date math of 4 KB': of('GET', `/${encodeURIComponent(`<a-{now${'+1d'.repeat(1200)}}>`)}/_search`),
  'enrich policy over 1,000 names': of('PUT', '/_enrich/policy/big', () => ({
    match: { indices: list(1000, (i) => `docs${i}*`), match_field: 'k', enrich_fields: list(5000, (i) => `f${i}`) },
  })),
  'reindex with a script that grows': of('POST', '/_reindex?wait_for_completion=true', () => ({
    source: { index: 'docs', size: 10_000 },
    dest: { index: 'copied' },
    ...script("ctx._source.x = ''; for (int i = 0; i < 4000; i++) { ctx._source.x += 'xxxxxxxxxxxxxxxxxxxxxxxxx' }"),
    max_docs: 3000,
  })),
  'update by query of all': of('POST', '/docs/_update_by_query?conflicts=proceed', () => ({
    ...script('ctx._source.n += 1'),
  })),
  'reindex from a host that is nobody': of('POST', '/_reindex', () => ({
    source: { index: 'a', remote: { host: 'http://127.0.0.1:1' } },
    dest: { index: 'b' },
  })),
  'transform over a key of each document': of('POST', '/_transform/_preview', () => ({
    source: { index: 'docs' },
    pivot: {
      group_by: { k: { terms: { field: 'k' } }, n: { histogram: { field: 'n', interval: 1 } } },
      aggregations: { t: { top_metrics: { metrics: list(100, () => ({ field: 'n' })), sort: { n: 'asc' } } } },
    },
  })),
};

const LEARNING = {
  'job of 5,000 detectors': of('PUT', '/_ml/anomaly_detectors/many', () => ({
    analysis_config: {
      bucket_span: '1h',
      detectors: list(5000, () => ({
        function: 'mean',
        field_name: 'n',
        by_field_name: 'k',
        partition_field_name: 't',
      })),
    },
    data_description: { time_field: 'when' },
  })),
  'trained model of 9 MB': of('PUT', '/_ml/trained_models/big', () => ({
    input: { field_names: ['n'] },
    inference_config: { regression: {} },
    definition: {
      trained_model: {
        ensemble: {
          feature_names: ['n'],
          trained_models: list(2000, () => ({
            tree: {
              feature_names: ['n'],
              tree_structure: list(61, (i) =>
                i < 30
                  ? { node_index: i, split_feature: 0, threshold: i, left_child: 2 * i + 1, right_child: 2 * i + 2 }
                  : { node_index: i, leaf_value: i },
              ),
            },
          })),
        },
      },
    },
  })),
  'trained model of a tree that is its own child': of('PUT', '/_ml/trained_models/loop', () => ({
    input: { field_names: ['n'] },
    inference_config: { regression: {} },
    definition: {
      trained_model: {
        tree: {
          feature_names: ['n'],
          tree_structure: [{ node_index: 0, split_feature: 0, threshold: 1, left_child: 0, right_child: 0 }],
        },
      },
    },
  })),
  'categorization analyzer over 9 MB': of('POST', '/_ml/anomaly_detectors/_validate', () => ({
    analysis_config: {
      bucket_span: '1h',
      categorization_field_name: 't',
      categorization_filters: list(2000, (i) => `(a${i}+)+`),
      detectors: [{ function: 'count', by_field_name: 'mlcategory' }],
    },
    data_description: {},
  })),
  'memory estimate of 1e9 values': of('POST', '/_ml/anomaly_detectors/_estimate_model_memory', () => ({
    analysis_config: { bucket_span: '1ms', detectors: list(1000, () => ({ function: 'mean', field_name: 'n' })) },
    overall_cardinality: { k: 1e18 },
    max_bucket_cardinality: { k: 1e18 },
  })),
  'evaluation of all documents': of('POST', '/_ml/data_frame/_evaluate', () => ({
    index: 'docs',
    evaluation: {
      classification: {
        actual_field: 'k',
        predicted_field: 'k',
        metrics: { multiclass_confusion_matrix: { size: 10_000 } },
      },
    },
  })),
  'calendar of 50,000 events': of('POST', '/_ml/calendars/none/events', () => ({
    events: list(50_000, (i) => ({ description: `e${i}`, start_time: i, end_time: i + 1 })),
  })),
};

const SEARCHES = {
  'children with inner hits of 100 each': search(() => ({
    size: 400,
    query: { has_child: { type: 'child', query: { match_all: {} }, score_mode: 'sum', inner_hits: { size: 100 } } },
  })),
  'parents of parents of children, 50 deep': search(() => ({
    query: nest(25, { match_all: {} }, (query) => ({
      has_child: { type: 'child', query: { has_parent: { parent_type: 'parent', query } } },
    })),
  })),
  'nested inner hits of 10,000 hits': search(() => ({
    size: 10_000,
    query: { nested: { path: 'nest', query: { match_all: {} }, inner_hits: { size: 100 } } },
  })),
  'top_hits in terms of 10,000': search(() => ({
    size: 0,
    aggs: { k: { terms: { field: 'k', size: 10_000 }, aggs: { h: { top_hits: { size: 100 } } } } },
  })),
  'terms lookup of 65,536': search(() => ({ query: { terms: { k: { index: 'docs', id: '1', path: 'nest.a' } } } })),
  'geo grids of the finest precision': search(() => ({
    size: 0,
    aggs: {
      a: { geotile_grid: { field: 'where', precision: 29, size: 65_535 } },
      b: { geohash_grid: { field: 'where', precision: 12 } },
    },
  })),
  'geo_polygon of 100,000 points': search(() => ({
    query: { geo_polygon: { where: { points: list(100_000, (i) => [i % 180, (i * 7) % 90]) } } },
  })),
  'geo_distance ranges of 10,000': search(() => ({
    size: 0,
    aggs: { a: { geo_distance: { field: 'where', origin: [0, 0], ranges: list(10_000, (i) => ({ from: i })) } } },
  })),
  'date_histogram by millisecond': search(() => ({
    size: 0,
    aggs: { a: { date_histogram: { field: 'when', fixed_interval: '1ms', min_doc_count: 0 } } },
  })),
  'auto_date_histogram below itself': search(() => ({
    size: 0,
    aggs: nest(12, {}, (aggs) => ({ a: { auto_date_histogram: { field: 'when', buckets: 100 }, aggs } })),
  })),
  'rank_eval of 10,000 requests': of('POST', '/docs/_rank_eval', () => ({
    requests: list(10_000, (i) => ({ id: `${i}`, request: { query: { match_all: {} } }, ratings: [] })),
    metric: { precision: { k: 10 } },
  })),
  '_msearch of 50,000': of('POST', '/docs/_msearch', () => '{}\n{"size":0}\n'.repeat(50_000), NDJSON),
  '_bulk of 1,000,000 deletes': of(
    'POST',
    '/docs/_bulk',
    () => '{"delete":{"_id":"none"}}\n'.repeat(1_000_000),
    NDJSON,
  ),
  '_bulk of 300,000 bad actions': of('POST', '/docs/_bulk', () => '{"index":{"_id":""}}\n{}\n'.repeat(300_000), NDJSON),
  '_field_caps with a filter over all': of('POST', '/_field_caps?fields=*', () => ({
    index_filter: { bool: { should: list(1000, (i) => ({ prefix: { k: `key${i}` } })) } },
  })),
  '_terms_enum of a long prefix': of('POST', '/docs/_terms_enum', () => ({
    field: 'k',
    string: 'k'.repeat(MB),
    size: 10_000,
  })),
  'async search of all aggregations': of('POST', '/docs/_async_search?wait_for_completion_timeout=0', () => ({
    aggs: Object.fromEntries(list(500, (i) => [`a${i}`, { terms: { field: 'k', size: 1000 } }])),
  })),
  'scroll ids by the thousand': of('DELETE', '/_search/scroll', () => ({
    scroll_id: list(10_000, () => 'x'.repeat(500)),
  })),
  'point in time of 1 MB': of('POST', '/_search', () => ({ pit: { id: 'x'.repeat(MB) } })),
};

const HTTP = {
  'URL of 64 KB': of('GET', `/${'a'.repeat(64 * KB)}/_search`),
  'query string of 16,000 parameters': of('GET', `/docs/_search?${'a=1&'.repeat(3_500)}`),
  'escapes of a query string': of('GET', `/docs/_search?q=${'%C3'.repeat(4_000)}`),
  '900 headers': of('GET', '/', undefined, Object.fromEntries(list(900, (i) => [`x-a${i}`, 'b']))),
  'gzip in gzip': of('POST', '/docs/_search', () => gzipSync(gzipSync(Buffer.alloc(20 * MB))), {
    'content-encoding': 'gzip',
  }),
  'gzip that is cut': of('POST', '/docs/_search', () => gzipSync(Buffer.alloc(MB)).subarray(0, 200), {
    'content-encoding': 'gzip',
  }),
  'filter_path of 1,000 patterns': of(
    'GET',
    `/docs/_search?size=1000&filter_path=${list(600, (i) => `**.a${i}*b`).join()}`,
  ),
  'YAML answer of 10,000 hits': of('GET', '/docs/_search?size=10000&format=yaml'),
  'pretty answer of 10,000 hits': of('GET', '/docs/_search?size=10000&pretty'),
  'CBOR answer of 10,000 hits': of('GET', '/docs/_search?size=10000&format=cbor'),
  'SMILE answer of 10,000 hits': of('GET', '/docs/_search?size=10000&format=smile'),
  'human cat of everything': of('GET', '/_cat/shards?v&h=*&s=index,shard&format=yaml'),
};

const HEAD = 'Host: localhost\r\nContent-Type: application/json\r\n';
/** Requests that no client library sends; what comes back is read for a moment. */
/** Beginning of a request, to which headers may be added. */
const start = (method, path) => `${method} ${path} HTTP/1.1\r\n${HEAD}`;
const RAW = {
  'length and chunks at once':
    start('POST', '/docs/_count') +
    `Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET / HTTP/1.1\r\n${HEAD}\r\n`,
  'two lengths': `POST /docs/_count HTTP/1.1\r\n${HEAD}Content-Length: 2\r\nContent-Length: 30\r\n\r\n{}`,
  'chunks with trailers':
    start('POST', '/docs/_count') +
    `Transfer-Encoding: chunked\r\nTrailer: x\r\n\r\n2\r\n{}\r\n0\r\n${'x: y\r\n'.repeat(500)}\r\n`,
  'a chunk of 16 EB': `POST /docs/_count HTTP/1.1\r\n${HEAD}Transfer-Encoding: chunked\r\n\r\nffffffffffffffff\r\n{}`,
  'chunk extensions of 64 KB':
    start('POST', '/docs/_count') + `Transfer-Encoding: chunked\r\n\r\n2;${'a'.repeat(64 * KB)}\r\n{}\r\n0\r\n\r\n`,
  'continue that never comes':
    start('POST', '/docs/_count') + `Expect: 100-continue\r\nContent-Length: 1000000\r\n\r\n`,
  'an expectation that nobody knows': `POST /docs/_count HTTP/1.1\r\n${HEAD}Expect: tea\r\nContent-Length: 2\r\n\r\n{}`,
  'an upgrade':
    start('GET', '/') +
    `Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\n\r\n`,
  'a proxy request': `CONNECT 127.0.0.1:1 HTTP/1.1\r\n${HEAD}\r\n`,
  'HTTP 2 preface': 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\x00\x00\x00\x04\x00\x00\x00\x00\x00',
  'no HTTP at all': `\x16\x03\x01\x02\x00\x01${'\xff'.repeat(10_000)}`,
  'a header of 1 MB': `GET / HTTP/1.1\r\nHost: localhost\r\nx: ${'a'.repeat(MB)}\r\n\r\n`,
  'folded and odd headers': `GET / HTTP/1.1\r\nHost: localhost\r\nx: a\r\n b\r\nx\x00y: c\r\n\r\n`,
  '500 requests in a pipeline': `GET /docs/_search?size=100 HTTP/1.1\r\n${HEAD}\r\n`.repeat(500),
};

/** Sends bytes, half-closes, and waits until the node closes or a second is over; what it answered is not a status. */
async function sendRaw(node, bytes) {
  const { socket, closed } = await connect(node, bytes);
  socket.end();
  await Promise.race([closed, new Promise((resolve) => setTimeout(resolve, 1000))]);
  socket.destroy();
  return (await answerOf(node, 'GET', '/')).status;
}

const GROUPS = {
  script: SCRIPTS,
  runtime: RUNTIME,
  pipeline: INGEST,
  template: TEMPLATES,
  policy: POLICIES,
  learning: LEARNING,
  vector: vectorSearches,
  search2: SEARCHES,
  http: HTTP,
};

const SETTINGS = Object.freeze({});
const filled = new WeakSet();

async function prepare(node) {
  if (filled.has(node)) return;
  filled.add(node);
  await fill(async (method, path, body) => {
    const { status, text } = await answerOf(node, method, path, textOf(body), path.endsWith('_bulk') ? NDJSON : {});
    if (status > 299 || text.includes('"errors":true'))
      throw new Error(`${method} ${path}: ${status} ${text.slice(0, 300)}`);
  });
}

const requests = Object.entries(GROUPS).flatMap(([group, attacks]) =>
  Object.entries(attacks).map(([name, { method, path, body, headers = {} }]) => ({
    name: `${group}: ${name}`,
    isLong: true,
    settings: SETTINGS,
    prepare,
    run: async (node) => {
      const value = body?.();
      const bytes = Buffer.isBuffer(value) ? value : textOf(value);
      return [(await answerOf(node, method, path, bytes, headers)).status];
    },
  })),
);

/** All attacks of this file. */
export const surfaceAttacks = [
  ...requests,
  ...Object.entries(RAW).map(([name, bytes]) => ({
    name: `http: ${name}`,
    isLong: true,
    settings: SETTINGS,
    prepare,
    run: async (node) => [await sendRaw(node, Buffer.from(bytes, 'latin1'))],
  })),
];
