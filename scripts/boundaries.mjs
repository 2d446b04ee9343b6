// Checks every import of packages/*/src against the table in scripts/boundaries.json: rooms import downwards only, only
// declared npm packages, never deep into another room; and no cycle between the files of a room.
import fs from 'node:fs';
import path from 'node:path';
import { allowedRooms, readTable, roomsInTests, root } from './boundaries-table.mjs';

const table = readTable();
const problems = [];
const importPattern = /(?:import|export)\s[^'"]*?from\s*'([^']+)'|\bimport\s+'([^']+)'|import\(\s*'([^']+)'\s*\)/g;

function sources(dir) {
  return fs.readdirSync(dir, { withFileTypes: true }).flatMap((e) => {
    const file = path.join(dir, e.name);
    if (e.isDirectory()) return sources(file);
    return /\.tsx?$/.test(e.name) ? [file] : [];
  });
}

function importsOf(file) {
  const text = fs.readFileSync(file, 'utf8').replace(/\/\*[\s\S]*?\*\//g, '');
  return [...text.matchAll(importPattern)].map((m) => m[1] ?? m[2] ?? m[3]);
}

function checkImport(room, file, target, isTest) {
  const where = path.relative(root, file);
  if (target.startsWith('.') || target.startsWith('node:')) return;
  if (target.startsWith('@shoal/')) {
    const [, other, ...deep] = target.split('/');
    // `room`: the part of a package that a worker thread loads, without the rest of it.
    const isDoor =
      deep.length === 0 || ['contract', 'room'].includes(deep.join('/')) || (isTest && deep.join('/') === 'testing');
    if (!isDoor) problems.push(`${where}: deep import of ${target}`);
    if (other === room) problems.push(`${where}: a room does not import its own door (${target})`);
    else if (isTest && roomsInTests(table, room).includes(other)) return;
    else if (!allowedRooms(table, room).includes(other)) problems.push(`${where}: ${room} may not import ${target}`);
    return;
  }
  const name = target.startsWith('@') ? target.split('/').slice(0, 2).join('/') : target.split('/')[0];
  const { npm, npmInTests = [] } = table.rooms[room];
  if (isTest && (name === 'fast-check' || npmInTests.includes(name))) return;
  if (!npm.includes(name)) problems.push(`${where}: ${room} may not use the package ${name}`);
}

/** The source of a compiled file that is imported: TypeScript, with JSX or without. */
function sourceOf(file) {
  const source = file.replace(/\.js$/, '.ts');
  return fs.existsSync(source) ? source : `${source}x`;
}

function findCycles(room, graph) {
  const state = new Map();
  const visit = (file, trail) => {
    if (state.get(file) === 'done') return;
    if (state.get(file) === 'open') {
      const loop = trail.slice(trail.indexOf(file)).map((f) => path.relative(root, f));
      problems.push(`${room}: import cycle ${loop.join(' -> ')} -> ${path.relative(root, file)}`);
      return;
    }
    state.set(file, 'open');
    for (const next of graph.get(file) ?? []) visit(next, [...trail, file]);
    state.set(file, 'done');
  };
  for (const file of graph.keys()) visit(file, []);
}

for (const room of Object.keys(table.rooms)) {
  const dir = path.join(root, 'packages', room, 'src');
  if (!fs.existsSync(dir)) continue;
  const graph = new Map();
  for (const file of sources(dir)) {
    const isTest = table.rooms[room].mayTesting === true || /\.(test|bench)\.tsx?$|\/testing\//.test(file);
    const targets = importsOf(file);
    for (const t of targets) checkImport(room, file, t, isTest);
    graph.set(
      file,
      targets.filter((t) => t.startsWith('.')).map((t) => sourceOf(path.join(path.dirname(file), t))),
    );
  }
  findCycles(room, graph);
}
for (const p of problems) process.stderr.write(`${p}\n`);
process.exit(problems.length > 0 ? 1 : 0);
