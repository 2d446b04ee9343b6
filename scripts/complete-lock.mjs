// Adds the optional platform packages that a registry did not offer to package-lock.json, so that `npm ci` finds the
// lock whole on every platform. Run it after an install that changed the lock. Usage: node scripts/complete-lock.mjs
import fs from 'node:fs';
import path from 'node:path';
import { root } from './boundaries-table.mjs';

const file = path.join(root, 'package-lock.json');
const lock = JSON.parse(fs.readFileSync(file, 'utf8'));
const SYSTEMS = [
  'android',
  'darwin',
  'freebsd',
  'linux',
  'netbsd',
  'openbsd',
  'openharmony',
  'sunos',
  'win32',
  'aix',
  'wasi',
];
const PROCESSORS = [
  'arm64',
  'armv7',
  'arm',
  'x64',
  'ia32',
  'x86',
  'riscv64',
  'ppc64le',
  'ppc64',
  's390x',
  'mips64el',
  'loong64',
  'wasm32',
];

function platformOf(name) {
  const words = name.split(/[/-]/);
  const os = SYSTEMS.filter((s) => words.includes(s));
  const cpu = PROCESSORS.filter((p) => words.includes(p));
  const libc =
    words.includes('musl') || words.includes('musleabihf')
      ? ['musl']
      : words.includes('gnu') || words.includes('gnueabihf')
        ? ['glibc']
        : [];
  return {
    ...(cpu.length > 0 ? { cpu } : { cpu: ['none'] }),
    ...(os.length > 0 ? { os } : { os: ['none'] }),
    ...(libc.length > 0 ? { libc } : {}),
  };
}

let added = 0;
for (const entry of Object.values({ ...lock.packages })) {
  for (const [name, version] of Object.entries(entry.optionalDependencies ?? {})) {
    const place = `node_modules/${name}`;
    if (lock.packages[place] || !/^\d+\.\d+\.\d+/.test(version)) continue;
    lock.packages[place] = { version, ...platformOf(name), ...(entry.dev ? { dev: true } : {}), optional: true };
    added++;
  }
}
lock.packages = Object.fromEntries(Object.entries(lock.packages).sort(([a], [b]) => (a < b ? -1 : 1)));
fs.writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`);
process.stdout.write(`${added} platform packages added to package-lock.json\n`);
