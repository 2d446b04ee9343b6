// Calls by query beside another server: documents a second and processor time of `_reindex`, `_update_by_query` with a
// script and `_delete_by_query` of half, and how long searches take meanwhile. Servers have to run already.
// Usage: node test/bench/by-query-costs.mjs --target shoal=http://127.0.0.1:9200,PID --target opensearch=http://...,PID
//   --bulk FILE (action and source lines) [--pause 20]
import fs from 'node:fs';
import http from 'node:http';
import readline from 'node:readline';
import { parseArgs } from 'node:util';
import { cpuSeconds } from './processes.mjs';

const { values: options } = parseArgs({
  options: {
    target: { type: 'string', multiple: true, default: [] },
    bulk: { type: 'string' },
    pause: { type: 'string', default: '20' },
  },
});
const PIECE = 5000;
/** OpenSearch tells in a header what each page of a `_reindex` took. */
const HEADERS_MAX = 4 * 2 ** 20;
const INDEX = 'by-query-costs';
const agent = new http.Agent({ keepAlive: true, maxSockets: 4 });
const targets = options.target.map((text) => {
  const [, name, url, pid] = /^(\w+)=(.+),(\d+)$/.exec(text) ?? [];
  if (name === undefined) throw new Error(`--target ${text} is not NAME=URL,PID`);
  return { name, url, pid: Number(pid) };
});

function request({ url }, method, path, body) {
  const type = path.includes('_bulk') ? 'application/x-ndjson' : 'application/json';
  const text = body === undefined || typeof body === 'string' ? body : JSON.stringify(body);
  return new Promise((resolve, reject) => {
    const sending = { method, agent, headers: { 'content-type': type }, maxHeaderSize: HEADERS_MAX };
    const sent = http.request(`${url}${path}`, sending, (answer) => {
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

async function load(target) {
  for (const name of [INDEX, `${INDEX}-copy`]) await request(target, 'DELETE', `/${name}?ignore_unavailable=true`);
  await request(target, 'PUT', `/${INDEX}`, { settings: { number_of_shards: 1, number_of_replicas: 0 } });
  let lines = [];
  let documents = 0;
  const send = async () => {
    await request(target, 'POST', `/${INDEX}/_bulk`, `${lines.join('\n')}\n`);
    lines = [];
  };
  for await (const line of readline.createInterface({ input: fs.createReadStream(options.bulk) })) {
    if (line === '') continue;
    if (/^\{"(?:index|create)":/.test(line)) lines.push(`{"index":{"_id":"${documents++}"}}`);
    else lines.push(line);
    if (lines.length === 2 * PIECE) await send();
  }
  if (lines.length > 0) await send();
  await request(target, 'POST', `/${INDEX}/_refresh`);
  return documents;
}

/** Searches with pauses until `done` says so; returns the times in milliseconds, ascending. */
async function searching(target, done) {
  const times = [];
  while (!done()) {
    const from = performance.now();
    await request(target, 'POST', `/${INDEX}/_search`, { query: { match_all: {} }, size: 10, from: times.length % 50 });
    times.push(performance.now() - from);
    await new Promise((resolve) => setTimeout(resolve, Number(options.pause)));
  }
  return times.sort((a, b) => a - b);
}

async function measure(target, path, body) {
  let isDone = false;
  const searches = searching(target, () => isDone);
  const [cpu, from] = [cpuSeconds(target.pid), performance.now()];
  const answer = await request(target, 'POST', path, body);
  const seconds = (performance.now() - from) / 1000;
  isDone = true;
  const times = await searches;
  const used = cpuSeconds(target.pid) - cpu;
  const at = (part) => (times[Math.min(times.length - 1, Math.floor(times.length * part))] ?? 0).toFixed(1);
  const done = answer.created + answer.updated + answer.deleted || answer.total;
  return { done, rate: done / seconds, microseconds: (used * 1e6) / done, p50: at(0.5), p99: at(0.99) };
}

const SCRIPT = { source: "ctx._source.seen = params.n; ctx._source.remove('none')", params: { n: 1 } };
const CALLS = {
  reindex: ['/_reindex?refresh=true', { source: { index: INDEX }, dest: { index: `${INDEX}-copy` } }],
  update_by_query: [`/${INDEX}/_update_by_query?refresh=true`, { script: SCRIPT }],
  delete_by_query: (half) => [`/${INDEX}/_delete_by_query?refresh=true`, { query: { match_all: {} }, max_docs: half }],
};
for (const target of targets) {
  const documents = await load(target);
  for (const [name, made] of Object.entries(CALLS)) {
    const [path, body] = typeof made === 'function' ? made(documents >> 1) : made;
    const { done, rate, microseconds, p50, p99 } = await measure(target, path, body);
    process.stdout.write(
      `${target.name.padEnd(11)}${name.padEnd(16)} ${done} documents, ${rate.toFixed(0)} a second, ` +
        `${microseconds.toFixed(0)} us of processor a document, searches ${p50} ms (p50) ${p99} ms (p99)\n`,
    );
  }
  for (const name of [INDEX, `${INDEX}-copy`]) await request(target, 'DELETE', `/${name}`);
}
agent.destroy();
