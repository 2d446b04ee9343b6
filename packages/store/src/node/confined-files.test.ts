import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { confinedFiles } from './confined-files.js';
import { nodeFiles } from './node-files.js';

const BYTES = Buffer.from('x');

/** A folder `repo` that may be used, beside a folder `secret` with a file that may not. */
function folders(t: TestContext) {
  const base = fs.mkdtempSync(path.join(os.tmpdir(), 'shoal-confined-'));
  t.after(() => fs.rmSync(base, { recursive: true, force: true }));
  const [repo, secret] = [path.join(base, 'repo'), path.join(base, 'secret')];
  for (const folder of [repo, secret]) fs.mkdirSync(folder);
  fs.writeFileSync(path.join(secret, 'key'), 'secret');
  return { base, repo, secret, files: confinedFiles(nodeFiles(), [repo]) };
}

test('files below an allowed folder are read, written and removed', async (t) => {
  const { repo, files } = folders(t);
  await files.replace(`${repo}/a/b/c`, BYTES);
  assert.deepEqual(await files.list(`${repo}/a`), ['b']);
  assert.deepEqual(await files.read(`${repo}/a/b/c`), BYTES);
  assert.equal(await files.read(`${repo}/none/at/all`), null);
  await files.removeFolder(`${repo}/a`);
  assert.deepEqual(await files.list(repo), []);
});

test('no operation leaves the folder, by dots, neighbours or symbolic links', async (t) => {
  const { base, repo, secret, files } = folders(t);
  fs.symlinkSync(secret, path.join(repo, 'link'));
  fs.symlinkSync(path.join(secret, 'key'), path.join(repo, 'file'));
  fs.symlinkSync(path.join(secret, 'new'), path.join(repo, 'later.new'));
  fs.symlinkSync(path.join(base, 'nowhere'), path.join(repo, 'dangling'));
  fs.mkdirSync(`${repo}-2`);
  const paths = [
    secret,
    `${secret}/key`,
    `${repo}/../secret/key`,
    `${repo}-2/x`,
    `${repo}/link/key`,
    `${repo}/link/new/deep`,
    `${repo}/file`,
    '/etc/passwd',
    `${repo}/a\0b`,
    '',
  ];
  const refused = { type: 'repository_exception', status: 400 };
  for (const name of paths) {
    await assert.rejects(files.read(name), refused, name);
    await assert.rejects(files.replace(name, BYTES), refused, name);
    await assert.rejects(files.open(name), refused, name);
    await assert.rejects(files.remove(name), refused, name);
    await assert.rejects(files.list(name), refused, name);
    await assert.rejects(files.folderSize(name), refused, name);
    await assert.rejects(files.freeBytes(name), refused, name);
    await assert.rejects(files.removeFolder(name), refused, name);
    await assert.rejects(files.removeEmptyFolder(name), refused, name);
  }
  await assert.rejects(files.replace(`${repo}/later`, BYTES), refused);
  await assert.rejects(files.replace(`${repo}/dangling`, BYTES), refused);
  await assert.rejects(files.open(`${repo}/dangling/a`), refused);
  fs.symlinkSync('circle', path.join(repo, 'circle'));
  await assert.rejects(files.read(`${repo}/circle/a`), { code: 'ELOOP' });
  assert.deepEqual(fs.readdirSync(secret), ['key']);
  assert.equal(fs.readFileSync(path.join(secret, 'key'), 'utf8'), 'secret');
  assert.ok(!fs.existsSync(path.join(base, 'nowhere')));
});

test('a link that is made after the first use is followed by the next check', async (t) => {
  const { repo, secret, files } = folders(t);
  await files.replace(`${repo}/x/snapshots.json`, BYTES);
  fs.rmSync(path.join(repo, 'x'), { recursive: true });
  fs.symlinkSync(secret, path.join(repo, 'x'));
  await assert.rejects(files.replace(`${repo}/x/snapshots.json`, BYTES), { type: 'repository_exception' });
});

test('an allowed folder may be a link itself, and without folders nothing is allowed', async (t) => {
  const { base, repo } = folders(t);
  fs.symlinkSync(repo, path.join(base, 'alias'));
  const files = confinedFiles(nodeFiles(), [path.join(base, 'alias')]);
  await files.replace(`${base}/alias/a`, BYTES);
  assert.deepEqual(await files.read(`${repo}/a`), BYTES);
  await assert.rejects(confinedFiles(nodeFiles(), []).read(`${repo}/a`), { type: 'repository_exception' });
});

test('of files that are replaced at the same time one is there whole, and nothing beside it', async (t) => {
  const { repo } = folders(t);
  const shared = confinedFiles(nodeFiles({ isShared: true }), [repo]);
  const contents = Array.from({ length: 20 }, (_, i) => Buffer.alloc(10_000 + i, i));
  await Promise.all(contents.map((content) => shared.replace(`${repo}/same`, content)));
  const found = Buffer.from((await shared.read(`${repo}/same`))!);
  assert.ok(contents.some((content) => content.equals(found)));
  assert.deepEqual(await shared.list(repo), ['same']);
});
