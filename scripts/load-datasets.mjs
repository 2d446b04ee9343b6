// Loads the benchmark's data sets into a running node, with a progress line.
// Usage: node scripts/load-datasets.mjs [--url http://127.0.0.1:9200] [--data DIR]
//   [--only packages,cities] [--limit N]
//   DIR (default ~/.cache/search-bench) holds packages.bulk, logs.bulk, flights.bulk and cities.bulk as datasets.mjs of
//   the benchmark writes them: an action line and a source line a document. --limit takes the first N of each.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';

const { values } = parseArgs({
  options: {
    url: { type: 'string', default: 'http://127.0.0.1:9200' },
    data: { type: 'string', default: path.join(os.homedir(), '.cache', 'search-bench') },
    only: { type: 'string' },
    limit: { type: 'string', default: 'Infinity' },
  },
});

const BATCH_DOCS = 1000;
const BATCH_BYTES = 1 << 20;
const keyword = { type: 'keyword' };
const text = { type: 'text' };
const long = { type: 'long' };
const date = { type: 'date' };
const textAnd = (name) => ({ type: 'text', fields: { [name]: { type: 'keyword', ignore_above: 256 } } });

/**
 * Index mappings; the data themselves come from Debian's package lists, a web server's log, US flights and the world's
 * cities.
 */
const indices = {
  packages: {
    package: keyword,
    version: keyword,
    section: keyword,
    priority: keyword,
    architecture: keyword,
    maintainer: textAnd('raw'),
    depends: keyword,
    recommends: keyword,
    installed_size: long,
    size: long,
    homepage: keyword,
    tags: keyword,
    summary: text,
    description: text,
  },
  logs: {
    '@timestamp': date,
    clientip: { type: 'ip' },
    method: keyword,
    request: textAnd('raw'),
    status: { type: 'integer' },
    size: long,
    n: long,
  },
  flights: {
    date,
    delay: { type: 'integer' },
    distance: { type: 'integer' },
    origin: keyword,
    destination: keyword,
    n: long,
  },
  cities: {
    name: textAnd('raw'),
    country: keyword,
    feature: keyword,
    admin: keyword,
    population: long,
    location: { type: 'geo_point' },
  },
};

async function send(method, target, body, type = 'application/json') {
  const answer = await fetch(`${values.url}${target}`, {
    method,
    ...(body === undefined ? {} : { body, headers: { 'content-type': type } }),
  });
  const value = await answer.json();
  if (!answer.ok || value.errors)
    throw new Error(`${method} ${target}: ${answer.status} ${JSON.stringify(value).slice(0, 500)}`);
  return value;
}

/** Batches of whole documents: `[bytes, documents]`. */
function* batches(file, limit) {
  const bytes = fs.readFileSync(file);
  let start = 0;
  let at = 0;
  let docs = 0;
  let total = 0;
  while (at < bytes.length && total < limit) {
    at = bytes.indexOf(10, bytes.indexOf(10, at) + 1) + 1;
    docs++;
    total++;
    if (docs < BATCH_DOCS && at - start < BATCH_BYTES && at < bytes.length && total < limit) continue;
    yield [bytes.subarray(start, at), docs];
    start = at;
    docs = 0;
  }
}

function progress(name, docs, seconds, isLast) {
  const line =
    `${name.padEnd(9)} ${String(docs).padStart(8)} documents  ` +
    `${String(Math.round(docs / Math.max(seconds, 1e-3))).padStart(7)} a second`;
  if (process.stderr.isTTY) process.stderr.write(`\r${line}${isLast ? '\n' : ''}`);
  else if (isLast) process.stderr.write(`${line}\n`);
}

async function load(name) {
  const file = path.join(values.data, `${name}.bulk`);
  if (!fs.existsSync(file))
    throw new Error(`${file} is not there; make the data sets first or name their folder with --data`);
  await fetch(`${values.url}/${name}`, { method: 'DELETE' });
  await send(
    'PUT',
    `/${name}`,
    JSON.stringify({
      settings: { number_of_shards: 1, number_of_replicas: 0 },
      mappings: { properties: indices[name] },
    }),
  );
  const start = performance.now();
  let docs = 0;
  for (const [bytes, count] of batches(file, Number(values.limit))) {
    await send('POST', `/${name}/_bulk?filter_path=errors,items.*.error`, bytes, 'application/x-ndjson');
    docs += count;
    progress(name, docs, (performance.now() - start) / 1000, false);
  }
  await send('POST', `/${name}/_refresh`);
  progress(name, docs, (performance.now() - start) / 1000, true);
}

try {
  for (const name of values.only ? values.only.split(',') : Object.keys(indices)) await load(name);
} catch (error) {
  process.stderr.write(`\n${error.message}\n`);
  process.exit(1);
}
