// Style that oxlint and biome do not check: width of lines, clock and randomness taken from the outside, words that do
// not belong in the tree, rows of catalogues without a test beside them. Counts that exist today are kept in
// scripts/ratchet.json and may only fall.
// Usage: node scripts/tidy.mjs [--update]
import fs from 'node:fs';
import path from 'node:path';
import { root } from './boundaries-table.mjs';

const COLUMNS_MAX = 120;
/** Lists of what the product knows by name; each file that a row comes from has its test beside it. */
const CATALOGUES = [
  'packages/aggregations/src/catalogue.ts',
  'packages/analysis/src/catalogue.ts',
  'packages/mapping/src/types/catalogue.ts',
  'packages/query/src/queries/catalogue.ts',
];
const ratchetFile = path.join(root, 'scripts', 'ratchet.json');

function sources(dir) {
  return fs.readdirSync(dir, { withFileTypes: true }).flatMap((e) => {
    const file = path.join(dir, e.name);
    if (e.isDirectory())
      return e.name === 'generated' || e.name === 'node_modules' || e.name === 'dist' ? [] : sources(file);
    return /\.(tsx?|mjs)$/.test(e.name) ? [file] : [];
  });
}

/** Files that a catalogue imports its rows from; types come from elsewhere. */
function rowFiles(catalogue) {
  const text = fs.readFileSync(path.join(root, catalogue), 'utf8');
  const imports = text.matchAll(/^import \{[^}]*\} from '(\.[^']+)\.js';$/gm);
  return [...imports].map(([, file]) => path.join(path.dirname(catalogue), `${file}.ts`));
}

const counts = {};
const bump = (key) => (counts[key] = (counts[key] ?? 0) + 1);
const problems = [];
for (const file of ['packages', 'scripts', 'test'].flatMap((dir) => sources(path.join(root, dir)))) {
  const name = path.relative(root, file);
  const text = fs.readFileSync(file, 'utf8');
  const lines = text.split('\n');
  const isExempt = !name.startsWith('packages/') || /\.(test|bench)\.tsx?$/.test(name);
  for (const line of lines) if ([...line].length > COLUMNS_MAX) bump(`lines over ${COLUMNS_MAX} columns: ${name}`);
  if (name !== 'scripts/tidy.mjs' && /\b(?:TODO|FIXME)\b/.test(text)) problems.push(`${name}: says TODO or FIXME`);
  if (!isExempt && !/packages\/(?:node|doors|store|testing|dashboard-ui\/src\/state\/browser-clock\.ts)\b/.test(name)) {
    if (/\bDate\.now\(|\bnew Date\(\)|\bMath\.random\(/.test(text))
      problems.push(`${name}: takes time or randomness from the process`);
    if (
      /from 'node:(?:fs|net|http|https|child_process|worker_threads)(?:\/promises)?'/.test(text) &&
      !/packages\/(?:rest|transport|dashboard)\//.test(name)
    )
      problems.push(`${name}: performs effects itself`);
  }
}
for (const file of CATALOGUES.flatMap(rowFiles)) {
  const beside = path.join(root, file.replace(/\.ts$/, '.test.ts'));
  if (!fs.existsSync(beside) || !/^\s*(?:test|kernelContract)\(/m.test(fs.readFileSync(beside, 'utf8')))
    bump(`no test beside the row of a catalogue: ${file}`);
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
