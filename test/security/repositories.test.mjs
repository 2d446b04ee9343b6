// Snapshot repositories as a way to the files of the machine: none leads out of path.repo.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { call, startNode, temporaryFolder } from '../node-process.mjs';

const base = temporaryFolder('repositories');
const [repo, secret] = [path.join(base, 'repo'), path.join(base, 'secret')];
let node;

before(async () => {
  for (const folder of [repo, secret]) fs.mkdirSync(folder);
  fs.writeFileSync(path.join(secret, 'key'), 'secret');
  fs.symlinkSync(secret, path.join(repo, 'link'));
  node = await startNode({ settings: { 'path.repo': repo } });
  await call(node, 'PUT', '/i/_doc/1?refresh=true', { a: 1 });
});
after(() => node.stop());

const register = (type, settings, query = '') => call(node, 'PUT', `/_snapshot/r${query}`, { type, settings });

test('a repository outside of path.repo is refused, with or without verification', async () => {
  for (const query of ['', '?verify=false'])
    for (const [type, settings] of [
      ['fs', { location: secret }],
      ['fs', { location: '../secret' }],
      ['url', { url: `file:${secret}` }],
      ['url', { url: `file:${repo}/..%2fsecret` }],
      ['url', { location: secret }],
      ['url', { url: 'http://127.0.0.1:1/x' }],
    ]) {
      const { status, body } = await register(type, settings, query);
      assert.deepEqual([status, body.error.type], [400, 'repository_exception'], JSON.stringify(settings));
    }
  assert.deepEqual((await call(node, 'GET', '/_snapshot')).body, {});
});

test('a symbolic link out of path.repo is not followed by any call', async () => {
  assert.equal((await register('fs', { location: `${repo}/link` })).status, 400);
  for (const [type, settings] of [
    ['fs', { location: 'link' }],
    ['fs', { location: 'link/deep' }],
    ['url', { url: `file:${repo}/link` }],
  ]) {
    assert.equal((await register(type, settings, '?verify=false')).status, 200);
    for (const [method, target, body] of [
      ['POST', '/_snapshot/r/_verify'],
      ['POST', '/_snapshot/r/_cleanup'],
      ['PUT', '/_snapshot/r/s?wait_for_completion=true', {}],
      ['GET', '/_snapshot/r/_all'],
      ['DELETE', '/_snapshot/r/s'],
      ['POST', '/_snapshot/r/s/_restore', {}],
    ]) {
      const { status, body: answer } = await call(node, method, target, body);
      assert.equal(status, 400, `${method} ${target}: ${JSON.stringify(answer)}`);
    }
  }
  assert.deepEqual(fs.readdirSync(secret), ['key']);
});

test('a repository of type url restores and changes nothing', async () => {
  assert.equal((await register('fs', { location: 'shared' })).status, 200);
  assert.equal((await call(node, 'PUT', '/_snapshot/r/s?wait_for_completion=true', { indices: 'i' })).status, 200);
  const { status } = await call(node, 'PUT', '/_snapshot/u', { type: 'url', settings: { url: `file:${repo}/shared` } });
  assert.equal(status, 200);
  for (const [method, target, body] of [
    ['PUT', '/_snapshot/u/t', {}],
    ['DELETE', '/_snapshot/u/s'],
    ['POST', '/_snapshot/u/_cleanup'],
    ['PUT', '/_snapshot/u/s/_clone/t', { indices: 'i' }],
  ]) {
    const answer = await call(node, method, target, body);
    assert.match(answer.body.error.reason, /readonly repository$/, target);
    assert.equal(answer.status, 400);
  }
  assert.equal((await call(node, 'DELETE', '/i')).status, 200);
  assert.equal((await call(node, 'POST', '/_snapshot/u/s/_restore?wait_for_completion=true', {})).status, 200);
  assert.equal((await call(node, 'GET', '/i/_count')).body.count, 1);
});
