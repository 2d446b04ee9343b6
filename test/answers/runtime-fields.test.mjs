// Runtime fields are found, sorted, aggregated, shown and mapped as in Elasticsearch 8.12.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import { after, before, test } from 'node:test';
import { call, startNode } from '../node-process.mjs';
import { compared, REQUESTS, SETUP } from './runtime-field-requests.mjs';

const expected = JSON.parse(fs.readFileSync(new URL('runtime-fields.json', import.meta.url)));
let node;

before(async () => {
  node = await startNode();
  for (const request of SETUP) await call(node, ...request);
});
after(() => node?.stop());

test('runtime fields answer as in 8.12', async () => {
  for (const [i, [method, path, body]] of REQUESTS.entries()) {
    const answer = await call(node, method, path, body);
    assert.deepEqual(
      { status: answer.status, body: compared(answer.body) },
      expected[i],
      `${method} ${path} ${JSON.stringify(body)}`,
    );
  }
});
