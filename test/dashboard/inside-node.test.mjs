// The dashboard inside a node (`dashboard.enabled`): ready without any further setting, ended with the node.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import { after, test } from 'node:test';
import { call, startNode } from '../node-process.mjs';
import { ask, logIn, startNodeWithDashboard, through } from './dashboard-process.mjs';

const nodes = [];
after(() => Promise.all(nodes.map((node) => node.stop('SIGKILL'))));

async function nodeWithDashboard(settings, more) {
  const started = await startNodeWithDashboard(settings, more);
  nodes.push(started.node);
  return started;
}

test('in a node without security the pages are there without a login, and end with the node', async () => {
  const { node, dashboard } = await nodeWithDashboard({});
  assert.equal((await ask(dashboard, 'GET', '/')).headers.get('location'), '/app/home');
  assert.equal((await through(dashboard, undefined, 'PUT', '/books/_doc/1', { body: { a: 1 } })).status, 201);
  assert.equal((await call(node, 'GET', '/books/_doc/1')).body._source.a, 1);
  assert.equal((await node.stop()).code, 0);
  await assert.rejects(fetch(`${dashboard.url}/api/status`));
});

test('in a node with security it has a token of its own, and people log in', async () => {
  const { node, dashboard } = await nodeWithDashboard(
    { 'xpack.security.enabled': true, 'discovery.type': 'single-node' },
    { env: { ELASTIC_PASSWORD: 'first-secret' }, auth: 'elastic:first-secret' },
  );
  assert.equal((await ask(dashboard, 'GET', '/')).headers.get('location'), '/login?next=%2F');
  const { cookie } = await logIn(dashboard, 'elastic', 'first-secret');
  const home = await ask(dashboard, 'GET', '/api/home', { cookie });
  assert.equal(home.status, 200);
  assert.equal((await call(node, 'GET', '/_security/service/elastic/kibana/credential')).body.count, 0);
  assert.equal((await node.stop()).code, 0);
});

test('a node without the setting has neither the thread nor its port', async () => {
  const node = await startNode();
  nodes.push(node);
  const threads = fs.readdirSync(`/proc/${node.pid}/task`).map((id) => {
    return fs.readFileSync(`/proc/${node.pid}/task/${id}/comm`, 'utf8').trim();
  });
  assert.ok(!threads.some((name) => name.includes('dashboard')));
  assert.doesNotMatch(node.log(), /dashboard/);
  await node.stop();
});
