// Runs the REST conformance suite against a node of its own and compares with the ids that passed before.
// Usage: node test/rest/conformance.mjs --suite DIR [--check | --update] [--only REGEXP] [--expect FILE] [--nodes N]
//   --check   fails when an id of test/rest/passing.txt does not pass (the default)
//   --update  adds the ids that pass to test/rest/passing.txt; never removes one
//   --nodes   a cluster of so many nodes, of which the tests talk to the first
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { startCluster } from '../cluster-processes.mjs';
import { root, startNode, temporaryFolder } from '../node-process.mjs';

const value = (name, fallback) => {
  const at = process.argv.indexOf(`--${name}`);
  return at < 0 ? fallback : process.argv[at + 1];
};
const suite = value('suite');
if (!suite)
  throw new Error(
    'usage: conformance.mjs --suite DIR [--check | --update] [--only REGEXP] [--expect FILE] [--nodes N]',
  );
const passingFile = path.join(root, 'test', 'rest', 'passing.txt');
const readIds = (file) =>
  fs
    .readFileSync(file, 'utf8')
    .split('\n')
    .map((line) => line.split('\t')[0].trim())
    .filter((line) => line !== '' && !line.startsWith('#'));

/** The runner needs js-yaml beside it, and the suite's folder may be read-only: a copy gets the project's packages. */
function runnable() {
  const copy = temporaryFolder('conformance');
  fs.cpSync(suite, copy, { recursive: true, filter: (source) => !source.includes('node_modules') });
  fs.symlinkSync(path.join(root, 'node_modules'), path.join(copy, 'node_modules'));
  return copy;
}

/** Takes for granted that all shards are on one node; elsewhere 8.12 refuses it as well. */
const NEEDS_ONE_NODE = new Set(['clients/indices/shrink.yml:indices.shrink']);

const folder = runnable();
const repo = temporaryFolder('repo');
// Some tests delete and close by wildcard, which 8.12 refuses too unless it is told otherwise.
const settings = {
  'node.attr.testattr': 'test',
  'path.repo': repo,
  'action.destructive_requires_name': 'false',
  'script.disable_max_compilations_rate': 'true',
};
const count = Number(value('nodes', '1'));
const nodes = count === 1 ? [await startNode({ settings })] : (await startCluster({ count, settings })).nodes;
const [node] = nodes;
const passedFile = path.join(temporaryFolder('passed'), 'passed.txt');
const args = [
  'run.mjs',
  '--url',
  node.url,
  '--list',
  value('expect', 'expected/es8.12-core.txt'),
  '--passed',
  passedFile,
];
if (value('only')) args.push('--only', value('only'));
let crashed = null;
for (const one of nodes) one.exited.then((end) => (crashed ??= { ...end, log: one.log().slice(-3000) }));
const lines = [];
await new Promise((resolve) => {
  const child = spawn(process.execPath, args, { cwd: folder, stdio: ['ignore', 'pipe', 'inherit'] });
  child.stdout.on('data', (chunk) => lines.push(chunk.toString()));
  child.once('exit', resolve);
});
const died = crashed;
await Promise.all(nodes.map((one) => one.stop()));
const output = lines.join('');
if (process.argv.includes('--verbose')) process.stdout.write(output);
const passed = new Set(readIds(passedFile));
const before = fs.existsSync(passingFile) ? readIds(passingFile) : [];
const only = value('only') ? new RegExp(value('only')) : /./;
const fallen = before.filter((id) => only.test(id) && !passed.has(id) && !(count > 1 && NEEDS_ONE_NODE.has(id)));
process.stdout.write(`${output.trim().split('\n').at(-1)}\n`);
if (died) process.stdout.write(`a node ended during the run: ${died.code ?? died.signal}\n${died.log}\n`);
for (const id of fallen) process.stdout.write(`passed before and does not now: ${id}\n`);
if (process.argv.includes('--update')) {
  const all = [...new Set([...before, ...passed])].sort();
  fs.writeFileSync(
    passingFile,
    '# Conformance tests that pass; the list only grows. Made by test/rest/conformance.mjs ' +
      `--update.\n${all.join('\n')}\n`,
  );
  process.stdout.write(`${all.length} ids in test/rest/passing.txt\n`);
}
process.exit(died || fallen.length > 0 ? 1 : 0);
