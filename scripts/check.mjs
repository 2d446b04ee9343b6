// npm test: build, format, lint, import boundaries, generated files, references in comments and documents, unused code,
// unit tests, tests of whole processes. All run, so that one run shows all that fails. Usage: node scripts/check.mjs
// [--unit] (--unit leaves the tests of whole processes out)
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { root } from './boundaries-table.mjs';
import { build } from './build.mjs';

const bin = (name) => path.join(root, 'node_modules', '.bin', name);
const script = (name, ...args) => [process.execPath, [path.join(root, 'scripts', name), ...args]];

const steps = [
  ['wire', ...script('wire.mjs', '--check')],
  ['format', () => bin('biome'), ['format', '--log-level=warn', 'packages', 'scripts', 'test']],
  ['lint', () => bin('oxlint'), ['-c', 'scripts/config/oxlintrc.json', '--quiet', 'packages', 'scripts', 'test']],
  ['boundaries', ...script('boundaries.mjs')],
  ['tidy', ...script('tidy.mjs')],
  ['docs', ...script('docs.mjs', '--check')],
  ['references', ...script('references.mjs')],
  ['unused code', () => bin('knip'), ['--no-progress', '--no-config-hints']],
  ['unit tests', ...script('test.mjs')],
  ...(process.argv.includes('--unit') ? [] : [['product tests', ...script('test-product.mjs')]]),
];

function run([name, command, args]) {
  const start = performance.now();
  const result = spawnSync(typeof command === 'function' ? command() : command, args, {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  process.stdout.write(
    `${result.status === 0 ? 'ok  ' : 'FAIL'} ${name} (${((performance.now() - start) / 1000).toFixed(1)} s)\n`,
  );
  return result.status === 0;
}

if (!(await build())) process.exit(1);
process.exit(steps.map(run).every(Boolean) ? 0 : 1);
