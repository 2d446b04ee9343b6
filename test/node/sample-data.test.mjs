// `shoal sample-data` as its user runs it: against an open node and a secured one, twice, and beside indices of others.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { call, root, startNode } from '../node-process.mjs';

/** Runs the command; `env` goes beside the process's own. */
function sampleData(args, env = {}) {
  const bin = path.join(root, 'packages', 'node', 'bin', 'shoal');
  const { ELASTIC_PASSWORD: _, ...environment } = process.env;
  const child = spawn(bin, ['sample-data', ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...environment, ...env },
  });
  const texts = { out: '', error: '' };
  child.stdout.on('data', (chunk) => (texts.out += chunk));
  child.stderr.on('data', (chunk) => (texts.error += chunk));
  return new Promise((resolve) => child.on('close', (status) => resolve({ status, ...texts })));
}

let node;
before(async () => {
  node = await startNode();
});
after(() => node?.stop());

test('sets are loaded once, anew on demand, and removed', async () => {
  const only = ['--url', node.url, '--only', 'recipes,cities'];
  const first = await sampleData(only);
  assert.equal(first.status, 0, first.error);
  assert.match(first.out, /^sample-recipes: 500 documents/);
  assert.equal((await call(node, 'GET', '/sample-cities/_count')).body.count, 4442);

  await call(node, 'DELETE', '/sample-recipes/_doc/1?refresh=true');
  const second = await sampleData(only);
  assert.match(second.out, /^sample-recipes: 500 documents, /, 'a set that lacks documents is loaded again');
  assert.match(second.out, /sample-cities: has its 4442 documents already/);
  assert.match((await sampleData([...only, '--replace'])).out, /sample-cities: 4442 documents, /);

  const removed = await sampleData([...only, '--remove']);
  assert.equal(removed.out, 'sample-recipes: removed\nsample-cities: removed\n');
  assert.equal((await call(node, 'HEAD', '/sample-cities')).status, 404);
});

test('an index of somebody else is left as it is', async () => {
  await call(node, 'PUT', '/sample-orders/_doc/1?refresh=true', { mine: true });
  for (const extra of [[], ['--replace'], ['--remove']]) {
    const run = await sampleData(['--url', node.url, '--only', 'orders', ...extra]);
    assert.equal(run.status, 1);
    assert.match(run.error, /^shoal: there is an index \[sample-orders\] that is not of this command/);
  }
  assert.equal((await call(node, 'GET', '/sample-orders/_count')).body.count, 1);
});

test('what cannot be done is said in a sentence', async () => {
  for (const [args, reason] of [
    [['--only', 'books'], /there is no set \[books\]; there are recipes, logs, orders, cities/],
    [['--url', 'localhost'], /\[localhost\] is not an address/],
    [['--url', 'http://127.0.0.1:1'], /the node at \[http:\/\/127\.0\.0\.1:1\] does not answer: .*ECONNREFUSED/],
    [['--cacert', '/nowhere.crt'], /the certificate \[\/nowhere\.crt\] cannot be read/],
  ]) {
    const run = await sampleData(args);
    assert.deepEqual([run.status, run.out], [1, '']);
    assert.match(run.error, reason);
  }
});

test('a node with security takes the password of the environment and refuses a wrong one', async () => {
  const secured = await startNode({ env: { ELASTIC_PASSWORD: 'correct-one' }, auth: 'elastic:correct-one' });
  try {
    const only = ['--url', secured.url, '--only', 'recipes'];
    const wrong = await sampleData(only, { ELASTIC_PASSWORD: 'wrong-one' });
    assert.equal(wrong.status, 1);
    assert.match(wrong.error, /does not accept user \[elastic\]: unable to authenticate user \[elastic\]/);
    const right = await sampleData(only, { ELASTIC_PASSWORD: 'correct-one' });
    assert.match(right.out, /^sample-recipes: 500 documents/, right.error);
  } finally {
    await secured.stop();
  }
});
