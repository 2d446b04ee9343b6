// Runs test/**/*.test.mjs: tests of whole processes, sockets and disks, a process each. Those that measure time, or
// start a cluster, run one after another; the others as many at once as there are processors. The files that failed are
// named at the end, a file that took too long among them.
// Usage: node scripts/test-product.mjs [path-part ...]
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from './boundaries-table.mjs';

/** The single-node files take about 700 s on a quiet machine of two processors, and twice that on a busy one. */
const TIMEOUT_MS = 2_400_000;
/** The slowest file takes about a minute on a quiet machine. One that hangs is ended and named before the whole is. */
const FILE_TIMEOUT_MS = 420_000;
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
const ALONE = ['cluster', 'drills/', 'answers/script-limits'];
/** Of those places the ones that do not. */
const TOGETHER = ['drills/damage'];
const isIn = (places, file) => places.some((place) => file.startsWith(path.join(root, 'test', place)));
const isAlone = (file) => isIn(ALONE, file) && !isIn(TOGETHER, file);

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'shoal-product-'));

/** What failed, out of the TAP report: `not ok 3 - name` at the left margin, where the name is a test's or a file's. */
function failedFiles(report) {
  const lines = fs.existsSync(report) ? fs.readFileSync(report, 'utf8').split('\n') : [];
  return lines.flatMap((line) => /^not ok \d+ - (.*)$/.exec(line)?.[1] ?? []);
}

/** Runs files; returns the names of what failed. */
function run(list, atOnce) {
  if (list.length === 0) return [];
  const report = path.join(folder, `${atOnce}.tap`);
  const { status, signal } = spawnSync(
    process.execPath,
    [
      '--test',
      `--import=${pathToFileURL(path.join(root, 'scripts', 'product-test-end.mjs')).href}`,
      `--test-concurrency=${atOnce}`,
      `--test-timeout=${FILE_TIMEOUT_MS}`,
      '--test-reporter=spec',
      '--test-reporter-destination=stdout',
      '--test-reporter=tap',
      `--test-reporter-destination=${report}`,
      ...list,
    ],
    { cwd: root, stdio: ['ignore', 'inherit', 'inherit'], timeout: TIMEOUT_MS },
  );
  const failed = failedFiles(report);
  if (signal) failed.push(`the run was ended by ${signal} (limit ${TIMEOUT_MS / 1000} s)`);
  return status !== 0 && failed.length === 0 ? [`status ${status}`] : failed;
}

const together = files.filter((file) => !isAlone(file));
const failed = [...run(together, os.availableParallelism()), ...run(files.filter(isAlone), 1)];
fs.rmSync(folder, { recursive: true });
for (const name of failed) process.stdout.write(`failed: ${name}\n`);
process.exit(failed.length === 0 ? 0 : 1);
