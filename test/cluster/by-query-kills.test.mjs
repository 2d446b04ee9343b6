// Calls by query while nodes are killed: what their tasks tell, and that nothing is lost or done twice.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startCluster } from '../cluster-processes.mjs';
import { call, sleep } from '../node-process.mjs';

const DOCUMENTS = 3000;
let cluster;
let nodes;
before(async () => {
  cluster = await startCluster({ settings: { 'shoal.shard_threads': 1 } });
  nodes = cluster.nodes;
  await call(nodes[0], 'PUT', '/from', {
    settings: { number_of_shards: 3, number_of_replicas: 1 },
    mappings: { properties: { n: { type: 'long' } } },
  });
  await call(nodes[0], 'PUT', '/to', { settings: { number_of_shards: 2, number_of_replicas: 1 } });
  const lines = Array.from({ length: DOCUMENTS }, (_, i) => `{"index":{"_id":"${i}"}}\n{"n":${i}}\n`);
  await call(nodes[0], 'POST', '/from/_bulk?refresh=true', lines.join(''));
  await call(nodes[0], 'GET', '/_cluster/health?wait_for_status=green&timeout=30s');
});
after(() => cluster?.stop('SIGKILL'));

async function begin(node, path, body, more = '&scroll_size=100') {
  const answer = await call(node, 'POST', `${path}?wait_for_completion=false&requests_per_second=1000${more}`, body);
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  return answer.body.task;
}

async function ended(node, task) {
  for (const startMs = Date.now(); Date.now() - startMs < 90_000; await sleep(200)) {
    const { body } = await call(node, 'GET', `/_tasks/${task}`);
    if (body.completed === true) return body;
  }
  assert.fail(`the task ${task} did not end`);
}

/** Waits until a task has done some of its work; held back by `requests_per_second`, it is far from its end then. */
async function progressed(node, task) {
  for (const startMs = Date.now(); Date.now() - startMs < 60_000; await sleep(50)) {
    const { body } = await call(node, 'GET', `/_tasks/${task}`);
    assert.equal(body.error, undefined, JSON.stringify(body));
    const { status } = body.task;
    if ([status.created, status.updated, status.deleted].some((count) => count > 0)) return;
  }
  assert.fail(`the task ${task} did nothing`);
}

/**
 * Lifts the rate of a task, so that it reads pages ahead while it writes, and kills a node in the middle of that. The
 * rest of its work takes much longer than the kill.
 */
async function killAtFullSpeed(node, family, task, victim) {
  const answer = await call(node, 'POST', `/${family}/${task}/_rethrottle?requests_per_second=-1`);
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  await victim.stop('SIGKILL');
}

const countOf = async (node, index, query = { match_all: {} }) => {
  await call(node, 'POST', `/${index}/_refresh`);
  return (await call(node, 'POST', `/${index}/_count`, { query })).body.count;
};

test('a result outlives the node that has it', async () => {
  const task = await begin(nodes[2], '/from/_update_by_query', { query: { term: { n: 7 } } });
  const told = await ended(nodes[2], task);
  assert.equal(told.response.updated, 1);
  await nodes[2].stop('SIGKILL');
  await call(nodes[0], 'GET', '/_cluster/health?wait_for_nodes=2&timeout=30s');
  const { status, body } = await call(nodes[0], 'GET', `/_tasks/${task}`);
  assert.deepEqual([status, body.response], [200, told.response]);
  await cluster.restart(2);
  await call(nodes[0], 'GET', '/_cluster/health?wait_for_nodes=3&wait_for_status=green&timeout=60s');
});

test('a copy goes on, or tells what failed, when a data node is killed; a second one completes it', async () => {
  const body = { source: { index: 'from', size: 100 }, dest: { index: 'to', op_type: 'create' }, conflicts: 'proceed' };
  const task = await begin(nodes[0], '/_reindex', body, '');
  await progressed(nodes[0], task);
  await killAtFullSpeed(nodes[0], '_reindex', task, nodes[1]);
  const told = await ended(nodes[0], task);
  const done = told.response?.created ?? null;
  if (told.error === undefined && told.response.failures.length === 0) assert.equal(done, DOCUMENTS);
  const again = await call(nodes[0], 'POST', '/_reindex?refresh=true', body);
  assert.deepEqual([again.status, again.body.failures], [200, []], JSON.stringify(again.body).slice(0, 500));
  assert.equal(await countOf(nodes[0], 'to'), DOCUMENTS);
  await cluster.restart(1);
  await call(nodes[0], 'GET', '/_cluster/health?wait_for_nodes=3&wait_for_status=green&timeout=60s');
});

test('an update by script goes on, or tells what failed, when a data node is killed; nothing is twice', async () => {
  const script = { source: "field('w').set($('w', 0) + 1)" };
  const task = await begin(nodes[0], '/from/_update_by_query', { script }, '&scroll_size=100&conflicts=proceed');
  await progressed(nodes[0], task);
  await killAtFullSpeed(nodes[0], '_update_by_query', task, nodes[1]);
  const told = await ended(nodes[0], task);
  await call(nodes[0], 'GET', '/_cluster/health?wait_for_nodes=2&wait_for_status=yellow&timeout=60s');
  const done = await countOf(nodes[0], 'from', { term: { w: 1 } });
  assert.equal(await countOf(nodes[0], 'from', { range: { w: { gt: 1 } } }), 0);
  assert.ok(done >= (told.response?.updated ?? 1), `${done} documents, ${JSON.stringify(told).slice(0, 500)}`);
  if (told.error === undefined && told.response.failures.length === 0)
    assert.equal(told.response.updated + told.response.version_conflicts, DOCUMENTS);
  const rest = { query: { bool: { must_not: { exists: { field: 'w' } } } }, script };
  const completed = await call(nodes[0], 'POST', '/from/_update_by_query?refresh=true', rest);
  assert.deepEqual([completed.body.updated, completed.body.failures], [DOCUMENTS - done, []]);
  assert.equal(await countOf(nodes[0], 'from', { term: { w: 1 } }), DOCUMENTS);
  await cluster.restart(1);
  await call(nodes[0], 'GET', '/_cluster/health?wait_for_nodes=3&wait_for_status=green&timeout=60s');
});

test('when the node of a task is killed, others say so, and what it did is whole', async () => {
  const script = { source: 'ctx._source.v = (ctx._source.v == null ? 0 : ctx._source.v) + 1' };
  const task = await begin(nodes[1], '/to/_update_by_query', { script });
  await progressed(nodes[1], task);
  await nodes[1].stop('SIGKILL');
  await call(nodes[0], 'GET', '/_cluster/health?wait_for_nodes=2&timeout=30s');
  const { status, body } = await call(nodes[0], 'GET', `/_tasks/${task}`);
  assert.equal(status, 404);
  assert.match(body.error.reason, /isn't part of the cluster and there is no record of the task/);
  const once = await countOf(nodes[0], 'to', { term: { v: 1 } });
  assert.ok(once > 0 && once < DOCUMENTS, `${once} documents`);
  assert.equal(await countOf(nodes[0], 'to', { range: { v: { gt: 1 } } }), 0);
  const rest = { query: { bool: { must_not: { exists: { field: 'v' } } } }, script };
  const completed = await call(nodes[0], 'POST', '/to/_update_by_query?refresh=true', rest);
  assert.equal(completed.body.updated, DOCUMENTS - once);
  assert.equal(await countOf(nodes[0], 'to', { term: { v: 1 } }), DOCUMENTS);
});

test('when the node of a deletion is killed, no copy has what it deleted, and a second one does the rest', async () => {
  await cluster.restart(1);
  await call(nodes[0], 'GET', '/_cluster/health?wait_for_nodes=3&wait_for_status=green&timeout=60s');
  const query = { range: { n: { gte: 1000 } } };
  const task = await begin(nodes[1], '/to/_delete_by_query', { query });
  await progressed(nodes[1], task);
  await nodes[1].stop('SIGKILL');
  await call(nodes[0], 'GET', '/_cluster/health?wait_for_nodes=2&wait_for_status=yellow&timeout=60s');
  assert.equal((await call(nodes[0], 'GET', `/_tasks/${task}`)).status, 404);
  const left = await countOf(nodes[0], 'to', query);
  assert.ok(left > 0 && left < DOCUMENTS - 1000, `${left} documents`);
  const completed = await call(nodes[0], 'POST', '/to/_delete_by_query?refresh=true', { query });
  assert.deepEqual([completed.body.deleted, completed.body.failures], [left, []]);
  assert.equal(await countOf(nodes[0], 'to'), 1000);
  await cluster.restart(1);
  await call(nodes[0], 'GET', '/_cluster/health?wait_for_nodes=3&wait_for_status=green&timeout=60s');
  for (const node of nodes) assert.equal(await countOf(node, 'to'), 1000);
});
