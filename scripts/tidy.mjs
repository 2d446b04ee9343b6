// Style that can be checked: function and file length, `as` casts to any, clock and randomness taken from the outside,
// words that do not belong in the tree. Counts that exist today are kept in scripts/ratchet.json and may only fall.
// Usage: node scripts/tidy.mjs [--update]
import fs from 'node:fs';
import path from 'node:path';
import { root } from './boundaries-table.mjs';

const FUNCTION_LINES_MAX = 70;
const FILE_LINES_MAX = 600;
const ratchetFile = path.join(root, 'scripts', 'ratchet.json');

function sources(dir) {
  return fs.readdirSync(dir, { withFileTypes: true }).flatMap((e) => {
    const file = path.join(dir, e.name);
    if (e.isDirectory())
      return e.name === 'generated' || e.name === 'node_modules' || e.name === 'dist' ? [] : sources(file);
    return e.name.endsWith('.ts') ? [file] : [];
  });
}

/** Lengths of top-level and nested functions, by matching the closing brace at the indentation of the opening line. */
function longFunctions(lines) {
  const found = [];
  const open =
    /^(\s*)(?:export\s+)?(?:async\s+)?(?:function\*?\s+(\w+)|(?:const|let)\s+(\w+)\s*=\s*(?:async\s*)?(?:function|\([^]*\)\s*(?::[^=]+)?=>)|(?:override\s+|static\s+|async\s+|get\s+|set\s+|\*)*([#\w]+)\s*\([^;]*\)\s*(?::\s*[^={]+)?)\s*.*\{$/;
  for (let i = 0; i < lines.length; i++) {
    const m = open.exec(lines[i]);
    if (!m || /^\s*(?:if|for|while|switch|catch|else|return|do|try)\b/.test(lines[i])) continue;
    const close = new RegExp(`^${m[1]}\\}`);
    let end = i + 1;
    while (end < lines.length && !close.test(lines[end])) end++;
    const length = end - i + 1;
    if (length > FUNCTION_LINES_MAX) found.push({ name: m[2] ?? m[3] ?? m[4], length });
  }
  return found;
}

const counts = {};
const bump = (key) => (counts[key] = (counts[key] ?? 0) + 1);
const problems = [];
for (const file of sources(path.join(root, 'packages'))) {
  const name = path.relative(root, file);
  const text = fs.readFileSync(file, 'utf8');
  const lines = text.split('\n');
  const isTest = /\.(test|bench)\.ts$/.test(name);
  // Started by hand, with effects of its own.
  const isProgram = name === 'packages/simulator/src/run.ts';
  if (lines.length > FILE_LINES_MAX) bump(`file over ${FILE_LINES_MAX} lines: ${name}`);
  if (!isTest)
    for (const f of longFunctions(lines)) bump(`function over ${FUNCTION_LINES_MAX} lines: ${name} ${f.name}`);
  if (/\b(?:TODO|FIXME)\b/.test(text)) problems.push(`${name}: says TODO or FIXME`);
  if (!isTest && !isProgram && !/packages\/(?:node|doors|store)\//.test(name)) {
    if (/\bDate\.now\(|\bnew Date\(\)|\bMath\.random\(/.test(text))
      problems.push(`${name}: takes time or randomness from the process`);
    if (
      /from 'node:(?:fs|net|http|https|child_process|worker_threads)(?:\/promises)?'/.test(text) &&
      !/packages\/(?:rest|transport)\//.test(name)
    )
      problems.push(`${name}: performs effects itself`);
  }
}
const old = fs.existsSync(ratchetFile) ? JSON.parse(fs.readFileSync(ratchetFile, 'utf8')) : {};
if (process.argv.includes('--update')) {
  fs.writeFileSync(ratchetFile, `${JSON.stringify(Object.fromEntries(Object.entries(counts).sort()), null, 2)}\n`);
} else {
  for (const [key, count] of Object.entries(counts)) if (count > (old[key] ?? 0)) problems.push(key);
  for (const key of Object.keys(old))
    if (!(key in counts)) problems.push(`${key}: no longer true; run node scripts/tidy.mjs --update`);
}
for (const p of problems) process.stderr.write(`${p}\n`);
process.exit(problems.length > 0 ? 1 : 0);
