// Joins the pages of the dashboard into files for browsers, packages/dashboard-ui/dist/assets: a script and a style for
// each entry, parts that are loaded on first use, names with a hash of the content, each also compressed. A no-op while
// nothing changed. `dist/pages.json` tells what is in each file (esbuild's metafile). Usage: node
// scripts/bundle-pages.mjs
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import zlib from 'node:zlib';
import { root } from './boundaries-table.mjs';

const room = path.join(root, 'packages', 'dashboard-ui');
const folder = path.join(room, 'dist', 'assets');
const manifestFile = path.join(folder, 'manifest.json');
/** Entries by name: compiled files of the room. */
const ENTRIES = { main: 'pages/main.js', login: 'pages/login/main.js', 'not-ready': 'pages/not-ready/main.js' };
/** Smaller files are not worth a second one. */
const COMPRESSED_BYTES_MIN = 512;

const mtimeOf = (file) => fs.statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;

/** Whether the files are those of what is compiled now. */
function isCurrent() {
  const styles = fs.readdirSync(path.join(room, 'styles')).map((name) => path.join(room, 'styles', name));
  const sources = [path.join(room, 'dist', '.tsbuildinfo'), fileURLToPath(import.meta.url), ...styles];
  return sources.every((file) => mtimeOf(file) <= mtimeOf(manifestFile));
}

function compress(file) {
  const bytes = fs.readFileSync(file);
  if (bytes.length < COMPRESSED_BYTES_MIN) return;
  fs.writeFileSync(`${file}.gz`, zlib.gzipSync(bytes, { level: 9 }));
  fs.writeFileSync(`${file}.br`, zlib.brotliCompressSync(bytes));
}

/** Writes which file is which entry's, and which may be served. */
function writeManifest(outputs) {
  const files = Object.keys(outputs).map((file) => path.basename(file));
  const made = Object.entries(outputs);
  const fileOf = (source) => path.basename(made.find(([, { entryPoint }]) => entryPoint?.endsWith(source))[0]);
  const style = fileOf('styles/main.css');
  const entries = Object.fromEntries(
    Object.entries(ENTRIES).map(([name, source]) => [name, { script: fileOf(`dist/${source}`), style }]),
  );
  fs.writeFileSync(manifestFile, `${JSON.stringify({ entries, icon: 'icon.svg', files: [...files, 'icon.svg'] })}\n`);
}

/** Makes the files. Without esbuild (not installed with production dependencies) those that are there stay. */
export async function bundlePages() {
  if (isCurrent()) return;
  const esbuild = await import('esbuild').catch(() => null);
  if (esbuild === null) return;
  fs.rmSync(folder, { recursive: true, force: true });
  const { metafile } = await esbuild.build({
    absWorkingDir: room,
    entryPoints: {
      ...Object.fromEntries(Object.entries(ENTRIES).map(([name, source]) => [name, `dist/${source}`])),
      style: 'styles/main.css',
    },
    entryNames: '[name]-[hash]',
    chunkNames: 'part-[hash]',
    outdir: folder,
    bundle: true,
    splitting: true,
    minify: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    metafile: true,
    logLevel: 'error',
    define: { 'process.env.NODE_ENV': '"production"' },
  });
  fs.copyFileSync(path.join(room, 'styles', 'icon.svg'), path.join(folder, 'icon.svg'));
  for (const name of fs.readdirSync(folder)) compress(path.join(folder, name));
  fs.writeFileSync(path.join(room, 'dist', 'pages.json'), JSON.stringify(metafile));
  writeManifest(metafile.outputs);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await bundlePages();
