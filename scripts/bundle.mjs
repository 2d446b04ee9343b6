// Joins the compiled program into one file for each kind of thread, so that a node starts in a third of the time
// (docs/adr/0002-one-file.md). A no-op while nothing was compiled since. Usage: node scripts/bundle.mjs
import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { root } from './boundaries-table.mjs';
import { currentBundle } from '../packages/node/bin/bundle.mjs';
import { writeIndex } from '../packages/node/bin/source-map.mjs';

const dist = path.join(root, 'packages', 'node', 'dist');
const folder = path.join(dist, 'bundles');
/** Programs of their own: nothing of the dashboard is in the file that a node loads. */
const PROGRAMS = ['bin', 'dashboard-main'];
const THREADS = [
  'shard-thread',
  'merge-thread',
  'search-thread',
  'control-thread',
  'bcrypt-thread',
  'dashboard-thread',
  'ml-thread',
];
/** Nodes that run go on with the bundle they were started from. */
const KEPT = 3;

/** Beside each thread's file a module that loads it: what `new Worker` is given. */
const starter = (name) => `import { fileURLToPath } from 'node:url';
import { loadBundle } from '../../../bin/bundle.mjs';
loadBundle(fileURLToPath(new URL('.', import.meta.url)), '${name}');
`;

/** Readers of bodies and queries that express names and the dashboard does not use: half of the file otherwise. */
const withoutReaders = {
  name: 'without-readers',
  setup(build) {
    build.onResolve({ filter: /^(?:body-parser|qs)$/ }, ({ importer, path: name }) =>
      importer.includes(`${path.sep}express${path.sep}`) ? { path: name, namespace: 'unused' } : null,
    );
    build.onLoad({ filter: /./, namespace: 'unused' }, () => ({ contents: 'module.exports = {};' }));
  },
};

function join(esbuild, outdir) {
  return esbuild.build({
    plugins: [withoutReaders],
    entryPoints: [...PROGRAMS, ...THREADS.map((name) => `threads/${name}`)].map((name) =>
      path.join(dist, `${name}.js`),
    ),
    entryNames: '[name]',
    outdir,
    outExtension: { '.js': '.cjs' },
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node20',
    sourcemap: 'external',
    sourcesContent: false,
    // V8 keeps the text, which was one of two bytes for a few letters in comments: 20 MB of each node.
    minifyWhitespace: true,
    external: ['level'],
    define: { 'import.meta.url': 'bundleUrl' },
    banner: { js: "const bundleUrl = require('node:url').pathToFileURL(__filename).href;" },
    logLevel: 'error',
  });
}

function removeOld() {
  const bundles = fs.readdirSync(folder, { withFileTypes: true }).filter((e) => e.isDirectory());
  const ages = bundles.map((e) => ({
    name: path.join(folder, e.name),
    madeAtMs: fs.statSync(path.join(folder, e.name)).mtimeMs,
  }));
  for (const { name } of ages.toSorted((a, b) => b.madeAtMs - a.madeAtMs).slice(KEPT))
    fs.rmSync(name, { recursive: true, force: true });
}

/** The option of `node` that the program gives a node without settings. */
function heapOption() {
  const limit = path.join(root, 'packages', 'node', 'bin', 'heap-limit.sh');
  const env = { PATH: process.env.PATH };
  return execFileSync('sh', ['-c', '. "$0"; heap_option', limit], { env, encoding: 'utf8' }).trim();
}

/** The option that `packages/node/bin/shoal` gives a dashboard besides. */
const DASHBOARD_OPTION = '--max-semi-space-size=2';

function makeCaches(files) {
  const program = path.join(root, 'scripts', 'cache-bundle.mjs');
  const isDashboard = (file) => path.basename(file) === 'dashboard-main.cjs';
  const make = (options, list) =>
    execFileSync(process.execPath, [heapOption(), ...options, program, ...list], { stdio: 'inherit' });
  make(
    [],
    files.filter((file) => !isDashboard(file)),
  );
  make([DASHBOARD_OPTION], files.filter(isDashboard));
}

/**
 * Makes the bundle of what is compiled now. Without esbuild (not installed with production dependencies) there is none:
 * nodes start from the modules.
 */
export async function bundle() {
  if (currentBundle() !== null) return;
  const esbuild = await import('esbuild').catch(() => null);
  if (esbuild === null) return;
  const startedAt = new Date();
  const id = randomBytes(6).toString('hex');
  const outdir = path.join(folder, id);
  await join(esbuild, outdir);
  for (const name of THREADS) fs.writeFileSync(path.join(outdir, `${name}.js`), starter(name));
  const files = [...PROGRAMS, ...THREADS].map((name) => path.join(outdir, `${name}.cjs`));
  for (const file of files) writeIndex(`${file}.map`);
  makeCaches(files);
  const pointer = path.join(folder, `${id}.current`);
  fs.writeFileSync(pointer, `${id}\n`);
  fs.utimesSync(pointer, startedAt, startedAt);
  fs.renameSync(pointer, path.join(folder, 'current'));
  removeOld();
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await bundle();
