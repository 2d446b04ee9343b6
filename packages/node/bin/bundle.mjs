// The program as one file instead of several hundred modules, made by scripts/bundle.mjs: loading it takes a third of
// the time. A bundle that is older than what was compiled is not used.
import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import vm from 'node:vm';
import { originalPosition } from './source-map.mjs';

const packages = fileURLToPath(new URL('../..', import.meta.url));
const folder = fileURLToPath(new URL('../dist/bundles', import.meta.url));
const CURRENT = path.join(folder, 'current');

/** When a package was compiled last, which the compiler notes in a file of its `dist`. */
function compiledAtMs() {
  const folders = fs.readdirSync(packages, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  const notes = folders.map(({ name }) => path.join(packages, name, 'dist', '.tsbuildinfo'));
  return Math.max(...notes.map((note) => fs.statSync(note, { throwIfNoEntry: false })?.mtimeMs ?? 0));
}

/** The folder of the bundle that belongs to the compiled files, or null. */
export function currentBundle() {
  const made = fs.statSync(CURRENT, { throwIfNoEntry: false });
  if (made === undefined || made.mtimeMs < compiledAtMs()) return null;
  return path.join(folder, fs.readFileSync(CURRENT, 'utf8').trim());
}

function readOrUndefined(file) {
  try {
    return fs.readFileSync(file);
  } catch {
    return undefined;
  }
}

/** The compiled but not yet run file `name` of a bundle. `cachedData`: what V8 made of the same file before. */
export function compileBundle(file, cachedData) {
  const source = `(function(exports, require, module, __filename, __dirname) {${fs.readFileSync(file, 'utf8')}\n})`;
  const importModuleDynamically = vm.constants.USE_MAIN_CONTEXT_DEFAULT_LOADER;
  return new vm.Script(source, { filename: file, cachedData, importModuleDynamically });
}

/** Runs the file `name` of a bundle; returns its exports. Lines of stack traces are those of the sources. */
export function loadBundle(bundle, name) {
  const file = path.join(bundle, `${name}.cjs`);
  const module = { exports: {} };
  const run = compileBundle(file, readOrUndefined(`${file}.cache`)).runInThisContext();
  Error.prepareStackTrace = (error, frames) => {
    const shown = isOfCall(error, frames) ? frames.map(String) : frames.map((frame) => sourceFrame(frame, file));
    return [headOf(error), ...shown.map((frame) => `    at ${frame}`)].join('\n');
  };
  run(module.exports, createRequire(file), module, file, bundle);
  return module.exports;
}

function headOf(error) {
  try {
    return Error.prototype.toString.call(error);
  } catch {
    return 'Error';
  }
}

/**
 * gRPC makes two stacks for each call that fails. When a node dies, looking their positions up would hold up those that
 * take over for 0.3 s.
 */
const isOfCall = (error, frames) => error.message === '' || frames[0]?.getFunctionName() === 'callErrorFromStatus';

function sourceFrame(frame, file) {
  const text = String(frame);
  if (frame.getFileName() !== file) return text;
  const generated = `${file}:${frame.getLineNumber()}:${frame.getColumnNumber()}`;
  const original = originalPosition(`${file}.map`, frame.getLineNumber(), frame.getColumnNumber());
  return original === null ? text : text.replace(generated, original);
}
