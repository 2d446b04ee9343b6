// Runs test/**/*.test.mjs: tests of whole processes, sockets and disks, a process each. Those that measure time, or
// start a cluster, run one after another; the others as many at once as there are processors.
// Usage: node scripts/test-product.mjs [path-part ...]
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { root } from './boundaries-table.mjs';

const TIMEOUT_MS = 1_200_000;
const parts = process.argv.slice(2);

function testFiles(dir) {
  return fs.readdirSync(dir, { withFileTypes: true }).flatMap((e) => {
    const file = path.join(dir, e.name);
    if (e.isDirectory()) return testFiles(file);
    return e.name.endsWith('.test.mjs') ? [file] : [];
  });
}

const files = testFiles(path.join(root, 'test')).filter((f) => parts.length === 0 || parts.some((p) => f.includes(p)));
if (files.length === 0) {
  process.stdout.write(`no test has a path with ${parts.join(' or ')}\n`);
  process.exit(1);
}
const ALONE = ['cluster', 'compare', 'drills', 'dashboard/budgets', 'answers/script-limits', 'node'];
const isAlone = (file) => ALONE.some((place) => file.startsWith(path.join(root, 'test', place)));

function run(list, atOnce) {
  if (list.length === 0) return true;
  const { status } = spawnSync(
    process.execPath,
    ['--test', `--test-concurrency=${atOnce}`, '--test-reporter=spec', ...list],
    { cwd: root, stdio: ['ignore', 'inherit', 'inherit'], timeout: TIMEOUT_MS },
  );
  return status === 0;
}

const together = run(
  files.filter((file) => !isAlone(file)),
  os.availableParallelism(),
);
const alone = run(files.filter(isAlone), 1);
process.exit(together && alone ? 0 : 1);
