// `_tasks` of a node with threads for its shards tells which of them got a part of a request.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { call, sleep, startNode } from '../node-process.mjs';

let node;
before(async () => (node = await startNode({ settings: { 'node.processors': 3 } })));
after(() => node?.stop('SIGKILL'));

test('the parts of a search name the threads that work on them', async () => {
  const settings = { number_of_shards: 2, number_of_replicas: 0 };
  await call(node, 'PUT', '/slow', { settings, mappings: { properties: { t: { type: 'text' } } } });
  const document = JSON.stringify({ t: 'a b '.repeat(1000) });
  await call(node, 'POST', '/slow/_bulk?refresh=true', `{"index":{}}\n${document}\n`.repeat(600));
  // Takes many seconds.
  const query = { span_near: { clauses: Array.from({ length: 60 }, () => ({ span_term: { t: 'a' } })), slop: 10 } };
  const search = call(node, 'POST', '/slow/_search', { query });
  const list = (more) => call(node, 'GET', `/_tasks?actions=indices:data/read*&group_by=none${more}`);
  let parts = [];
  for (; parts.length === 0; await sleep(10)) {
    const { body } = await list('&detailed');
    parts = body.tasks.filter(({ threads }) => threads?.length > 0);
  }
  const { body } = await list('');
  assert.ok(body.tasks.every((task) => task.threads === undefined));
  await call(node, 'POST', '/_tasks/_cancel?actions=indices:data/read/search');
  await search;
  assert.deepEqual([...new Set(parts.flatMap(({ threads }) => threads))].sort(), ['shoal-shards-0', 'shoal-shards-1']);
});
