// Sizes of the pages' scripts, compressed: what a browser loads for an entry and the page within.
import fs from 'node:fs';
import path from 'node:path';
import { root } from '../node-process.mjs';

const room = path.join(root, 'packages', 'dashboard-ui', 'dist');
const { outputs } = JSON.parse(fs.readFileSync(path.join(room, 'pages.json'), 'utf8'));
export const KB = 1024;

/** Largest compressed script of what is loaded first: entry, pages, bytes. */
export const SCRIPT_BUDGETS = [
  ['dist/pages/login/main.js', [], 40 * KB],
  ['dist/pages/not-ready/main.js', [], 40 * KB],
  ['dist/pages/main.js', ['dist/pages/home/page.js'], 150 * KB],
  ['dist/pages/main.js', ['dist/pages/discover/page.js'], 350 * KB],
  ['dist/pages/main.js', ['dist/pages/console/page.js'], 350 * KB],
  ['dist/pages/main.js', ['dist/pages/dashboards/page.js'], 350 * KB],
];

const outputOf = (entry) => Object.keys(outputs).find((name) => outputs[name].entryPoint === entry);

/** An output and all that it imports at once. */
function closure(name, found = new Set()) {
  if (found.has(name)) return found;
  found.add(name);
  for (const { path: other, kind } of outputs[name].imports) if (kind === 'import-statement') closure(other, found);
  return found;
}

const compressed = (name) => {
  const file = path.join(room, '..', name);
  return fs.statSync(fs.existsSync(`${file}.gz`) ? `${file}.gz` : file).size;
};

/** Compressed bytes of entries and all that they import at once. */
export function scriptBytes(entries) {
  const files = new Set(entries.flatMap((one) => [...closure(outputOf(one))]));
  return [...files].reduce((sum, name) => sum + compressed(name), 0);
}
