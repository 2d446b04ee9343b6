// Runs test/**/*.test.mjs: tests of whole processes, sockets and disks, a process each. Usage: node
// scripts/test-product.mjs [path-part ...]
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
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
const run = spawnSync(process.execPath, ['--test', '--test-concurrency=1', '--test-reporter=spec', ...files], {
  cwd: root,
  stdio: ['ignore', 'inherit', 'inherit'],
  timeout: TIMEOUT_MS,
});
process.exit(run.status === 0 ? 0 : 1);
