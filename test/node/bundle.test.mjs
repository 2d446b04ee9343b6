// The program as one file: which one is run, and what its stack traces say.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { currentBundle } from '../../packages/node/bin/bundle.mjs';
import { bundle as makeBundle } from '../../scripts/bundle.mjs';
import { originalPosition } from '../../packages/node/bin/source-map.mjs';
import { root } from '../node-process.mjs';

// Something may have been compiled since the build.
await makeBundle();

test('after a build there is a bundle of what was compiled, and none once a room was compiled later', () => {
  assert.notEqual(currentBundle(), null);
  const notes = path.join(root, 'packages', 'node', 'dist', '.tsbuildinfo');
  const { atime, mtime } = fs.statSync(notes);
  fs.utimesSync(notes, atime, new Date(Date.now() + 10_000));
  try {
    assert.equal(currentBundle(), null);
  } finally {
    fs.utimesSync(notes, atime, mtime);
  }
});

test('a node without settings takes what V8 made of the bundle before', () => {
  const bin = path.join(root, 'packages', 'node', 'bin');
  const program = `
    const { compileBundle, currentBundle } = await import(process.argv[1]);
    const fs = await import('node:fs');
    const file = currentBundle() + '/bin.cjs';
    console.log(compileBundle(file, fs.readFileSync(file + '.cache')).cachedDataRejected);`;
  const script = '. "$0/heap-limit.sh"; exec "$1" $(heap_option) --input-type=module -e "$2" "$0/bundle.mjs"';
  const said = execFileSync('sh', ['-c', script, bin, process.execPath, program], { encoding: 'utf8' });
  assert.equal(said.trim(), 'false');
});

test('a bundle holds every thread that it starts', () => {
  const bundle = currentBundle();
  const started = [
    ...fs.readFileSync(path.join(bundle, 'bin.cjs'), 'utf8').matchAll(/new URL\("\.\/([\w-]+\.js)", ?bundleUrl\)/g),
  ].map(([, name]) => name);
  assert.ok(started.length >= 2, `${started.length} threads found`);
  for (const name of started) assert.ok(fs.existsSync(path.join(bundle, name)), name);
});

test('a position in the bundle leads to the line of the source that says the same', () => {
  const file = path.join(currentBundle(), 'bin.cjs');
  const text = 'a merge thread asks nothing';
  const lines = fs.readFileSync(file, 'utf8').split('\n');
  const line = lines.findIndex((l) => l.includes(text));
  const [, source, originalLine] = /^(.*):(\d+):\d+$/.exec(
    originalPosition(`${file}.map`, line + 1, lines[line].indexOf(text) + 1),
  );
  assert.equal(source, path.join(root, 'packages', 'node', 'src', 'threads', 'merge-worker.ts'));
  assert.match(fs.readFileSync(source, 'utf8').split('\n')[originalLine - 1], new RegExp(text));
  assert.equal(originalPosition('/no/such.map', 1, 1), null);
});

test('positions are found without reading a source map through', () => {
  const file = path.join(currentBundle(), 'bin.cjs');
  const long = fs
    .readFileSync(file, 'utf8')
    .split('\n')
    .flatMap((text, i) => (text.length > 1000 ? [[i + 1, text.length >> 1]] : []));
  const before = process.cpuUsage();
  const found = long.filter(([line, column]) => originalPosition(`${file}.map`, line, column) !== null);
  const { user, system } = process.cpuUsage(before);
  assert.ok(found.length > 50 && found.length > long.length * 0.9, `${found.length} of ${long.length} found`);
  assert.ok((user + system) / 1000 < found.length * 10, `${(user + system) / 1000} ms`);
});
