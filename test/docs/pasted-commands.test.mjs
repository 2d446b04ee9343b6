// Every ```sh block of README.md and docs/ is pasted into a shell against a real node: each command must succeed.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { call, root, startNode } from '../node-process.mjs';

const COMMAND_MS_MAX = 120_000;
const pages = [
  'README.md',
  ...fs
    .readdirSync(path.join(root, 'docs'))
    .filter((f) => f.endsWith('.md'))
    .map((f) => `docs/${f}`),
];
const blocksOf = (page) =>
  [...fs.readFileSync(path.join(root, page), 'utf8').matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map((m) => m[1]);

/**
 * What a command says; fails if the command does, or takes too long. This process goes on meanwhile: a node whose lines
 * nobody reads would stand still.
 */
async function run(program, args) {
  try {
    return await promisify(execFile)(program, args, { cwd: root, timeout: COMMAND_MS_MAX });
  } catch (error) {
    throw new Error(`${args.join(' ')}\n${error.stdout}\n${error.stderr}`, { cause: error });
  }
}

let node;
before(async () => {
  // Pages that copy from another cluster name the node itself.
  node = await startNode({ settings: { 'reindex.remote.whitelist': '127.0.0.1:*' } });
  // The command of the quickstart, as its reader gives it.
  const { stdout } = await run('npm', ['run', '--silent', 'sample', '--', '--url', node.url]);
  assert.match(stdout, /sample-logs: 20000 documents/);
});
after(() => node?.stop());

for (const page of pages) {
  blocksOf(page).forEach((block, i) => {
    test(`${page}: block ${i + 1} works as pasted`, async () => {
      const commands = block.replaceAll('localhost:9200', `127.0.0.1:${node.port}`);
      const script = `set -e\ncurl() { command curl -sS --fail-with-body "$@"; }\n${commands}`;
      const { stdout } = await run('bash', ['-c', script]);
      assert.doesNotMatch(stdout, /"errors":true/);
      if (page === 'docs/quickstart.md') findsSomething(stdout);
    });
  });
}

/** No search of the quickstart comes back without hits, buckets or suggestions. */
function findsSomething(output) {
  assert.doesNotMatch(output, /"value" : 0,\s+"relation"/);
  assert.doesNotMatch(output, /"(?:buckets|options)" : \[ ?\]/);
}

const search = async (index, body) => (await call(node, 'POST', `/${index}/_search`, body)).body;

test('the quickstart finds what it says it finds', async () => {
  const bread = await search('sample-recipes', {
    query: { match: { summary: 'bread dough with a soft crumb' } },
    highlight: { fields: { summary: { number_of_fragments: 0 } } },
  });
  assert.match(bread.hits.hits[0]._source.title, /^Sourdough bread/);
  assert.match(bread.hits.hits[0].highlight.summary[0], /<em>dough<\/em> keeps the <em>crumb<\/em> <em>soft<\/em>/);

  const outage = await search('sample-logs', {
    query: { range: { 'http.response.status_code': { gte: 500 } } },
    aggs: { hours: { date_histogram: { field: '@timestamp', fixed_interval: '1h', min_doc_count: 20 } } },
  });
  const hours = outage.aggregations.hours.buckets.map((bucket) => (Date.now() - bucket.key) / 3_600_000);
  assert.ok(hours.length >= 1 && hours.length <= 3, `${hours.length} hours`);
  for (const hoursAgo of hours) assert.ok(hoursAgo > 50 && hoursAgo < 78, `${hoursAgo} hours ago`);

  const near = await search('sample-cities', {
    query: { geo_distance: { distance: '200km', location: { lat: 38.7223, lon: -9.1393 } } },
    sort: [{ _geo_distance: { location: { lat: 38.7223, lon: -9.1393 }, unit: 'km' } }],
  });
  assert.equal(near.hits.hits[0]._source.name, 'Lisbon');
});
