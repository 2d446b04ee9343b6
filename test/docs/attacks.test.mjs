// docs/internals/attacks.md names a test for each attack: that test exists.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const root = path.join(path.dirname(fileURLToPath(import.meta.url)), '..', '..');
const page = fs.readFileSync(path.join(root, 'docs/internals/attacks.md'), 'utf8');

test('each attack that is told has a test of the name that is given', () => {
  const rows = page.split('\n').filter((line) => line.startsWith('| ') && !/^\| (attack|---)/.test(line));
  assert.ok(rows.length > 25, `${rows.length} rows`);
  for (const row of rows) {
    const tests = [...row.matchAll(/`([\w./-]+\.test\.m?[jt]s)`: (.+?)(?=<br>| \|)/g)];
    assert.ok(tests.length > 0, row);
    for (const [, file, name] of tests) {
      const source = fs.readFileSync(path.join(root, file), 'utf8');
      assert.ok(source.includes(name), `${file} has no test [${name}]`);
    }
  }
});
