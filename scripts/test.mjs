// Runs the unit tests of packages/*/dist: many files in one process, 30 times faster than a process a file, and as many
// processes as there are processors, at most four. A run of few files is one process.
// Usage: node scripts/test.mjs [path-prefix ...] [--test-name-pattern=RE] [--rewrite]
//   path-prefix is relative to packages/, for example "segments" or "query/src/queries".
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from './boundaries-table.mjs';

const TIMEOUT_MS = 900_000;
const PROCESSES_MAX = 4;
/** Each process loads the program anew, about 1.5 s: fewer files than this are not worth another one. */
const FILES_A_PROCESS_MIN = 100;
const args = process.argv.slice(2);
const prefixes = args.filter((a) => !a.startsWith('--')).map((p) => p.replace(/^packages\//, ''));
const flags = args.filter((a) => a.startsWith('--test'));
const isRewriting = args.includes('--rewrite');
const isShown = process.env.CI || args.includes('--test-verbose');
const packages = path.join(root, 'packages');

function testFiles(dir) {
  if (!fs.existsSync(dir)) return [];
  return fs.readdirSync(dir, { withFileTypes: true }).flatMap((e) => {
    const file = path.join(dir, e.name);
    if (e.isDirectory()) return testFiles(file);
    return e.name.endsWith('.test.js') ? [file] : [];
  });
}

/** Compiled tests whose source is there and below a prefix. A compiled test whose source is gone must not run. */
function chosenFiles() {
  return fs
    .readdirSync(packages)
    .flatMap((room) => testFiles(path.join(packages, room, 'dist')))
    .filter((file) => {
      const source = path.relative(packages, file).replace('/dist/', '/src/').replace(/\.js$/, '.ts');
      if (!fs.existsSync(path.join(packages, source))) return false;
      return (
        prefixes.length === 0 ||
        prefixes.some((p) => source === p || source.startsWith(`${p}/`) || source.startsWith(p))
      );
    });
}

/** Deals the files out like cards, so that the files of each room, which take alike, are spread over the processes. */
function dealt(files) {
  // Golden files are recorded by one process only.
  const most = isRewriting ? 1 : Math.min(PROCESSES_MAX, os.availableParallelism());
  const count = Math.max(1, Math.min(most, Math.floor(files.length / FILES_A_PROCESS_MIN)));
  return Array.from({ length: count }, (_, i) => files.filter((__, position) => position % count === i));
}

/** Runs files in a process of their own; returns its status, the signal that ended it and what it printed. */
function run(list, files) {
  fs.writeFileSync(list, files.map((f) => `await import(${JSON.stringify(pathToFileURL(f).href)});`).join('\n'));
  const child = spawn(
    process.execPath,
    [
      '--enable-source-maps',
      '--test-reporter=spec',
      '--test-reporter-destination=stderr',
      '--test-reporter=tap',
      '--test-reporter-destination=stdout',
      ...flags,
      list,
    ],
    {
      cwd: root,
      env: { ...process.env, ...(isRewriting ? { REWRITE_GOLDEN: '1' } : {}) },
      timeout: TIMEOUT_MS,
      stdio: ['ignore', 'pipe', isShown ? 'inherit' : 'pipe'],
    },
  );
  const printed = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'])
    child[name]?.setEncoding('utf8').on('data', (text) => void (printed[name] += text));
  return new Promise((resolve) => child.on('close', (status, signal) => resolve({ status, signal, ...printed })));
}

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'shoal-test-'));
const results = await Promise.all(dealt(chosenFiles()).map((files, i) => run(path.join(folder, `${i}.mjs`), files)));
fs.rmSync(folder, { recursive: true });
const count = (name) =>
  results.reduce((sum, { stdout }) => sum + Number(new RegExp(`^# ${name} (\\d+)$`, 'm').exec(stdout)?.[1] ?? 0), 0);
const failed = count('fail') + count('cancelled');
for (const { status, signal, stderr } of results) {
  if (status !== 0) process.stdout.write(`${stderr.split('failing tests:').at(-1)}\n`);
  if (signal) process.stdout.write(`the test process was ended by ${signal} (limit ${TIMEOUT_MS / 1000} s)\n`);
}
process.stdout.write(`${count('pass')} passed, ${failed} failed, ${count('skipped')} skipped\n`);
process.exit(results.every(({ status }) => status === 0) && failed === 0 && count('pass') > 0 ? 0 : 1);
