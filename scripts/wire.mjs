// Writes each package's package.json, tsconfig.json and the root tsconfig.json from scripts/boundaries.json, so that
// dependencies, project references and the import table cannot drift apart. Usage: node scripts/wire.mjs [--check]
import fs from 'node:fs';
import path from 'node:path';
import { allowedRooms, readTable, roomsInTests, root } from './boundaries-table.mjs';

const check = process.argv.includes('--check');
const versions = JSON.parse(fs.readFileSync(path.join(root, 'package.json'), 'utf8')).versions;
const stale = [];
/** Pages of the browser: its types beside those of Node, which only their tests use, and JSX of Preact. */
const BROWSER_OPTIONS = { lib: ['es2023', 'dom', 'dom.iterable'], jsx: 'react-jsx', jsxImportSource: 'preact' };

function write(file, value) {
  const text = `${JSON.stringify(value, null, 2)}\n`;
  if (fs.existsSync(file) && fs.readFileSync(file, 'utf8') === text) return;
  stale.push(path.relative(root, file));
  if (check) return;
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, text);
}

function versionsOf(names) {
  return Object.fromEntries(names.map((name) => [name, versions[name]]));
}

function packageJson(room, spec, rooms) {
  const own = Object.fromEntries(rooms.map((r) => [`@shoal/${r}`, '0.1.0']));
  const npm = versionsOf(spec.npm);
  const npmInTests = versionsOf(spec.npmInTests ?? []);
  return {
    name: `@shoal/${room}`,
    version: '0.1.0',
    private: true,
    type: 'module',
    exports: { '.': { types: './dist/index.d.ts', default: './dist/index.js' }, ...(spec.exports ?? {}) },
    ...(spec.bin ? { bin: spec.bin } : {}),
    dependencies: { ...own, ...npm },
    ...(spec.npmInTests ? { devDependencies: npmInTests } : {}),
  };
}

const table = readTable();
const names = Object.keys(table.rooms);
for (const room of names) {
  const spec = table.rooms[room];
  const rooms = allowedRooms(table, room);
  write(path.join(root, 'packages', room, 'package.json'), packageJson(room, spec, rooms));
  write(path.join(root, 'packages', room, 'tsconfig.json'), {
    extends: '../tsconfig.base.json',
    compilerOptions: {
      rootDir: 'src',
      outDir: 'dist',
      tsBuildInfoFile: 'dist/.tsbuildinfo',
      ...(spec.browser ? BROWSER_OPTIONS : {}),
    },
    include: ['src/**/*.ts', ...(spec.browser ? ['src/**/*.tsx'] : [])],
    references: [...rooms, ...roomsInTests(table, room)].map((r) => ({ path: `../${r}` })),
  });
}
write(path.join(root, 'tsconfig.json'), { files: [], references: names.map((r) => ({ path: `packages/${r}` })) });
if (check && stale.length > 0) {
  process.stderr.write(`these files differ from scripts/boundaries.json; run "npm run wire": ${stale.join(', ')}\n`);
  process.exit(1);
}
