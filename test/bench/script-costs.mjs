// Scripts beside another server that knows Painless, on the same data in the same run: processor time of a request,
// measured in turns. Servers have to run already, each with an empty folder.
// Usage: node test/bench/script-costs.mjs --target shoal=http://127.0.0.1:9200,PID --target opensearch=http://...,PID
//   [--documents 200000] [--rounds 3] [--seconds 1.5] [--only REGEX] [--keep] [--loaded]
// --keep leaves the data, --loaded finds it there.
// Prints ms of processor time a request (median of the rounds) and the ratio of the first target to the second.
import http from 'node:http';
import { parseArgs } from 'node:util';
import { cpuSeconds } from './processes.mjs';

const { values: options } = parseArgs({
  options: {
    target: { type: 'string', multiple: true, default: [] },
    documents: { type: 'string', default: '200000' },
    rounds: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '1.5' },
    only: { type: 'string', default: '' },
    keep: { type: 'boolean', default: false },
    loaded: { type: 'boolean', default: false },
  },
});
const INDEX = 'script-costs';
const PIECE = 5000;
const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
const targets = options.target.map((text) => {
  const [, name, url, pid] = /^(\w+)=(.+),(\d+)$/.exec(text) ?? [];
  if (name === undefined) throw new Error(`--target ${text} is not NAME=URL,PID`);
  return { name, url, pid: Number(pid) };
});

function request({ url }, method, path, body) {
  const text = body === undefined || typeof body === 'string' ? body : JSON.stringify(body);
  const type = path.endsWith('_bulk') ? 'application/x-ndjson' : 'application/json';
  return new Promise((resolve, reject) => {
    const sent = http.request(`${url}${path}`, { method, agent, headers: { 'content-type': type } }, (answer) => {
      const chunks = [];
      answer.on('data', (chunk) => chunks.push(chunk));
      answer.on('end', () => {
        const json = JSON.parse(Buffer.concat(chunks).toString() || '{}');
        if (answer.statusCode < 300 && json.errors !== true) resolve(json);
        else reject(new Error(`${method} ${path}: ${answer.statusCode} ${JSON.stringify(json).slice(0, 400)}`));
      });
    });
    sent.on('error', reject);
    sent.end(text);
  });
}

/** A number from 0 to 1 that depends on two others only. */
function noise(a, b) {
  let t = Math.imul(a + 0x6d2b79f5, b * 2 + 1);
  t = Math.imul(t ^ (t >>> 15), t | 1);
  t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
  return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
}

function documentOf(i) {
  return {
    a: Math.round(noise(i, 1) * 1e6) / 100,
    b: Math.floor(noise(i, 2) * 10_000),
    d: 1_600_000_000_000 + Math.floor(noise(i, 3) * 1e8) * 1000,
    k: `key-${Math.floor(noise(i, 4) ** 3 * 1000)}`,
    n: 0,
  };
}

const MAPPING = {
  settings: { number_of_shards: 1, number_of_replicas: 0, refresh_interval: '-1' },
  mappings: {
    properties: {
      a: { type: 'double' },
      b: { type: 'long' },
      d: { type: 'date' },
      k: { type: 'keyword' },
      n: { type: 'integer' },
    },
  },
};

async function load(target, documents) {
  await request(target, 'DELETE', `/${INDEX}?ignore_unavailable=true`);
  await request(target, 'PUT', `/${INDEX}`, MAPPING);
  for (let from = 0; from < documents; from += PIECE) {
    let body = '';
    for (let i = from; i < Math.min(documents, from + PIECE); i++)
      body += `{"index":{"_id":"${i}"}}\n${JSON.stringify(documentOf(i))}\n`;
    await request(target, 'POST', `/${INDEX}/_bulk`, body);
  }
  await request(target, 'POST', `/${INDEX}/_refresh`);
  await request(target, 'POST', `/${INDEX}/_forcemerge?max_num_segments=1`);
}

const search = (body) => ['POST', `/${INDEX}/_search?request_cache=false`, body];
const aggregation = (agg) => search({ size: 0, aggs: { x: agg } });
const metric = (map, combine, reduce, init) =>
  aggregation({
    scripted_metric: { init_script: init, map_script: map, combine_script: combine, reduce_script: reduce },
  });
const filter = (source, params = {}) =>
  search({ size: 0, track_total_hits: true, query: { bool: { filter: { script: { script: { source, params } } } } } });
const scored = (source) => search({ query: { script_score: { query: { match_all: {} }, script: { source } } } });
const sorted = (source, type) => search({ sort: [{ _script: { type, script: { source } } }] });
const PREFIX = "doc['k'].value.substring(0, 5)";
const ADD = { source: 'ctx._source.n += params.d', params: { d: 1 } };

/**
 * Requests by name: each is made anew from the number of the call, for the first target and for others. Those with new
 * parameters find nothing of earlier ones. Where others have no runtime fields, they run the script in the aggregation.
 */
const OPERATIONS = {
  score: () => scored("doc['a'].value * Math.log(2 + doc['b'].value)"),
  score_branches: () =>
    scored(
      "double x = doc['a'].value; if (doc['b'].value % 2 == 0) { x = Math.sqrt(x) } " +
        'else if (x > 100) { x = x / 3 } return x + 1',
    ),
  filter: () => filter("doc['a'].value > params.t && doc['b'].value % 3 == 0", { t: 5000 }),
  filter_new_params: (i) => filter("doc['a'].value > params.t && doc['b'].value % 3 == 0", { t: 5000 + i }),
  filter_date: () => filter("doc['d'].value.getHour() < 6"),
  script_fields: () =>
    search({
      size: 100,
      script_fields: {
        x: { script: "doc['a'].value * 2" },
        y: { script: "doc['k'].value + '-' + doc['b'].value" },
      },
    }),
  metric_sum: () =>
    metric(
      "state.s += doc['a'].value",
      'return state.s',
      'double t = 0; for (s in states) { t += s } return t',
      'state.s = 0.0',
    ),
  metric_map: () =>
    metric(
      "String k = doc['k'].value; state.m.put(k, state.m.getOrDefault(k, 0) + 1)",
      'return state.m',
      'return states.size()',
      'state.m = [:]',
    ),
  metric_list: () =>
    metric(
      "if (doc['b'].value < 500) { state.l.add(doc['a'].value) }",
      'double t = 0; for (v in state.l) { t += v } return t',
      'double t = 0; for (s in states) { t += s } return t',
      'state.l = []',
    ),
  sort_number: () => sorted("doc['a'].value - doc['b'].value", 'number'),
  sort_string: () => sorted("doc['k'].value + doc['b'].value", 'string'),
  terms_script: () => aggregation({ terms: { script: { source: PREFIX } } }),
  terms_script_number: () => aggregation({ terms: { script: { source: "doc['b'].value % 10" } } }),
  runtime_terms: (_, isFirst) =>
    isFirst
      ? search({
          size: 0,
          runtime_mappings: { r: { type: 'keyword', script: { source: `emit(${PREFIX})` } } },
          aggs: { x: { terms: { field: 'r' } } },
        })
      : aggregation({ terms: { script: { source: PREFIX } } }),
  terms_new_params: (i) =>
    aggregation({ terms: { script: { source: "doc['k'].value.substring(0, 5) + params.p", params: { p: i } } } }),
  runtime_new_params: (i, isFirst) =>
    isFirst
      ? search({
          size: 0,
          runtime_mappings: {
            r: {
              type: 'keyword',
              script: { source: "emit(doc['k'].value.substring(0, 5) + params.p)", params: { p: i } },
            },
          },
          aggs: { x: { terms: { field: 'r' } } },
        })
      : aggregation({ terms: { script: { source: "doc['k'].value.substring(0, 5) + params.p", params: { p: i } } } }),
  avg_script: () => aggregation({ avg: { script: { source: "doc['a'].value + doc['b'].value" } } }),
  update: (i) => ['POST', `/${INDEX}/_update/${(i * 7919) % Number(options.documents)}`, { script: ADD }],
  bulk_update: (i) => [
    'POST',
    `/${INDEX}/_bulk`,
    Array.from(
      { length: 100 },
      (_, k) =>
        `{"update":{"_id":"${(i * 7919 + k * 31) % Number(options.documents)}"}}\n${JSON.stringify({ script: ADD })}\n`,
    ).join(''),
  ],
};

let calls = 0;

/** Sends requests for some processor time; returns ms of it a request. */
async function measure(target, operation, seconds) {
  const from = cpuSeconds(target.pid);
  let sent = 0;
  let used = 0;
  while (used < seconds && sent < 20_000) {
    for (let i = 0; i < 5; i++, sent++) await request(target, ...operation(++calls, target === targets[0]));
    used = cpuSeconds(target.pid) - from;
  }
  return (used * 1000) / sent;
}

const median = (numbers) => [...numbers].sort((a, b) => a - b)[numbers.length >> 1];
const shown = (ms) => ms.toFixed(ms < 10 ? 2 : 1).padStart(9);

if (!options.loaded) for (const target of targets) await load(target, Number(options.documents));
const ratios = [];
process.stdout.write(`${'ms a request'.padEnd(22)}${targets.map(({ name }) => name.padStart(12)).join('')}   ratio\n`);
for (const [name, operation] of Object.entries(OPERATIONS)) {
  if (!new RegExp(options.only).test(name)) continue;
  const figures = targets.map(() => []);
  for (const target of targets) await measure(target, operation, Number(options.seconds));
  for (let round = 0; round < Number(options.rounds); round++)
    for (const [i, target] of targets.entries())
      figures[i].push(await measure(target, operation, Number(options.seconds)));
  const medians = figures.map(median);
  const ratio = targets.length > 1 ? medians[0] / medians[1] : 1;
  ratios.push(ratio);
  process.stdout.write(`${name.padEnd(22)}${medians.map((ms) => `   ${shown(ms)}`).join('')}   ${ratio.toFixed(2)}\n`);
}
const mean = Math.exp(ratios.reduce((sum, ratio) => sum + Math.log(ratio), 0) / ratios.length);
process.stdout.write(`geometric mean ${mean.toFixed(2)}, over 1.0: ${ratios.filter((ratio) => ratio > 1).length}\n`);
if (!options.keep) for (const target of targets) await request(target, 'DELETE', `/${INDEX}`);
agent.destroy();
