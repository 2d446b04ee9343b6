// Paging by `search_after` over a point in time: processor time of the server for each page, first pages and last ones.
// A server has to run already.
// Usage: node test/bench/deep-pages.mjs --target http://127.0.0.1:9200,PID [--documents 300000] [--size 10000]
import { parseArgs } from 'node:util';
import { cpuSeconds } from './processes.mjs';

const { values: options } = parseArgs({
  options: {
    target: { type: 'string', default: 'http://127.0.0.1:9200,0' },
    documents: { type: 'string', default: '300000' },
    size: { type: 'string', default: '10000' },
  },
});
const [url, pid] = options.target.split(',');
const DOCUMENTS = Number(options.documents);
const SIZE = Number(options.size);
const BATCH = 10_000;
const INDEX = 'deep-pages';

async function call(method, path, body) {
  const type = path.includes('_bulk') ? 'application/x-ndjson' : 'application/json';
  const text = body === undefined || typeof body === 'string' ? body : JSON.stringify(body);
  const answer = await fetch(`${url}${path}`, { method, body: text, headers: { 'content-type': type } });
  const json = await answer.json();
  if (!answer.ok || json.errors === true) throw new Error(JSON.stringify(json).slice(0, 400));
  return json;
}

async function fill() {
  await fetch(`${url}/${INDEX}`, { method: 'DELETE' });
  const properties = { '@timestamp': { type: 'date' }, level: { type: 'keyword' } };
  await call('PUT', `/${INDEX}`, { settings: { number_of_replicas: 0 }, mappings: { properties } });
  for (let from = 0; from < DOCUMENTS; from += BATCH) {
    const lines = Array.from({ length: BATCH }, (_, k) => {
      const i = from + k;
      const source = { '@timestamp': 1_700_000_000_000 + i * 1000, level: ['info', 'warn', 'error'][i % 3] };
      return `{"index":{}}\n${JSON.stringify(source)}\n`;
    });
    await call('POST', `/${INDEX}/_bulk`, lines.join(''));
  }
  await call('POST', `/${INDEX}/_refresh`);
}

/** Milliseconds of processor of the first and the last quarter of all pages, each a page; null without documents. */
async function pages(query, sort) {
  const { id } = await call('POST', `/${INDEX}/_pit?keep_alive=5m`);
  const costs = [];
  for (let after; ; ) {
    const before = cpuSeconds(pid);
    const page = after === undefined ? {} : { search_after: after };
    const body = { size: SIZE, track_total_hits: false, _source: false, query, sort, pit: { id }, ...page };
    const { hits } = await call('POST', '/_search', body);
    if (hits.hits.length < SIZE) break;
    costs.push((cpuSeconds(pid) - before) * 1000);
    after = hits.hits.at(-1).sort;
  }
  await call('DELETE', '/_pit', { id });
  const quarter = Math.ceil(costs.length / 4);
  const mean = (some) => Math.round(some.reduce((sum, cost) => sum + cost, 0) / some.length);
  const [first, last] = [costs.slice(0, quarter), costs.slice(-quarter)].map(mean);
  return `${costs.length} pages, first ${first} ms each, last ${last} ms`;
}

await fill();
const ALL = { match_all: {} };
for (const [name, query, sort] of [
  ['latest first', ALL, [{ '@timestamp': 'desc' }]],
  ['oldest first', ALL, [{ '@timestamp': 'asc' }]],
  ['latest first, a third of all', { term: { level: 'warn' } }, [{ '@timestamp': 'desc' }]],
  ['by _shard_doc', ALL, [{ _shard_doc: 'asc' }]],
])
  process.stdout.write(`${name}: ${await pages(query, sort)}\n`);
