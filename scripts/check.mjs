// npm test: build, format, lint, import boundaries, generated files, references in comments and documents, unused code,
// unit tests, tests of whole processes. All run, so that one run shows all that fails. Usage: node scripts/check.mjs
// [--unit] (--unit leaves the tests of whole processes out)
import { spawn } from 'node:child_process';
import os from 'node:os';
import path from 'node:path';
import { root } from './boundaries-table.mjs';
import { build } from './build.mjs';

const bin = (name) => path.join(root, 'node_modules', '.bin', name);
const script = (name, ...args) => [process.execPath, [path.join(root, 'scripts', name), ...args]];

/** Checks that read files and write nothing; the longest first. */
const checks = [
  ['unused code', () => bin('knip'), ['--no-progress', '--no-config-hints']],
  ['docs', ...script('docs.mjs', '--check')],
  ['format', () => bin('biome'), ['format', '--log-level=warn', 'packages', 'scripts', 'test']],
  ['references', ...script('references.mjs')],
  ['lint', () => bin('oxlint'), ['-c', 'scripts/config/oxlintrc.json', '--quiet', 'packages', 'scripts', 'test']],
  ['boundaries', ...script('boundaries.mjs')],
  ['tidy', ...script('tidy.mjs')],
  ['wire', ...script('wire.mjs', '--check')],
];

const tests = [
  ['unit tests', ...script('test.mjs')],
  ...(process.argv.includes('--unit') ? [] : [['product tests', ...script('test-product.mjs')]]),
];

/** Runs a step; its output is kept and printed at its end, unless it is run alone. */
function run([name, command, args], stdio) {
  const start = performance.now();
  const child = spawn(typeof command === 'function' ? command() : command, args, { cwd: root, stdio });
  const printed = [];
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => printed.push(chunk));
  return new Promise((resolve) =>
    child.on('close', (status) => {
      process.stdout.write(Buffer.concat(printed));
      const seconds = ((performance.now() - start) / 1000).toFixed(1);
      process.stdout.write(`${status === 0 ? 'ok  ' : 'FAIL'} ${name} (${seconds} s)\n`);
      resolve(status === 0);
    }),
  );
}

/** Runs steps that have one thread each, as many at once as there are processors. */
async function runBeside(list) {
  const rest = [...list];
  const oks = [];
  const lane = async () => {
    for (let step = rest.shift(); step; step = rest.shift()) oks.push(await run(step, ['ignore', 'pipe', 'pipe']));
  };
  await Promise.all(Array.from({ length: os.availableParallelism() }, lane));
  return oks.every(Boolean);
}

if (!(await build())) process.exit(1);
let isOk = await runBeside(checks);
for (const step of tests) isOk = (await run(step, ['ignore', 'inherit', 'inherit'])) && isOk;
process.exit(isOk ? 0 : 1);
