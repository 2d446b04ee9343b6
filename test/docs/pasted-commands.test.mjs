// Every ```sh block of README.md and docs/ is pasted into a shell against a real node: each command must succeed.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { call, root, startNode, temporaryFolder } from '../node-process.mjs';

const pages = [
  'README.md',
  ...fs
    .readdirSync(path.join(root, 'docs'))
    .filter((f) => f.endsWith('.md'))
    .map((f) => `docs/${f}`),
];
const blocksOf = (page) =>
  [...fs.readFileSync(path.join(root, page), 'utf8').matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map((m) => m[1]);

let node;
before(async () => {
  node = await startNode();
  // Small data sets in the form of the real ones, so that the commands of the quickstart have something to find.
  const samples = {
    packages: [
      'package',
      {
        package: 'xml-tool',
        section: 'utils',
        summary: 'text editor',
        description: 'Tools to parse XML documents on the command line.',
        installed_size: 2000,
      },
    ],
    logs: ['@timestamp', { '@timestamp': '2024-05-01T10:00:00Z', clientip: '10.0.0.1', status: 200, size: 10 }],
    flights: ['origin', { origin: 'JFK', delay: 5, distance: 100 }],
    cities: ['name', { name: 'Almada', population: 1, location: { lat: 38.68, lon: -9.15 } }],
  };
  const data = temporaryFolder('samples');
  for (const [name, [, source]] of Object.entries(samples))
    fs.writeFileSync(path.join(data, `${name}.bulk`), `{"index":{"_id":"1"}}\n${JSON.stringify(source)}\n`);
  const load = spawnSync(process.execPath, ['scripts/load-datasets.mjs', '--url', node.url, '--data', data], {
    cwd: root,
    encoding: 'utf8',
  });
  assert.equal(load.status, 0, load.stderr);
  assert.match(load.stderr, /cities\s+1 documents/);
});
after(() => node?.stop());

for (const page of pages) {
  blocksOf(page).forEach((block, i) => {
    test(`${page}: block ${i + 1} works as pasted`, () => {
      const commands = block.replaceAll('localhost:9200', `127.0.0.1:${node.port}`);
      const script = `set -e\ncurl() { command curl -sS --fail-with-body "$@"; }\n${commands}`;
      const run = spawnSync('bash', ['-c', script], { encoding: 'utf8' });
      assert.equal(run.status, 0, `${block}\n${run.stdout}\n${run.stderr}`);
      assert.doesNotMatch(run.stdout, /"errors":true/);
    });
  });
}

test('the samples are found as the quickstart says', async () => {
  const { body } = await call(node, 'POST', '/packages/_search', {
    query: { match: { description: 'parse xml documents' } },
    highlight: { fields: { description: {} } },
  });
  assert.deepEqual(body.hits.hits[0].highlight, {
    description: ['Tools to <em>parse</em> <em>XML</em> <em>documents</em> on the command line.'],
  });
});
