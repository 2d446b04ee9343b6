// Generates the message codecs from proto/ and compiles all packages. Usage: node scripts/build.mjs
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { root } from './boundaries-table.mjs';
import { ensureInstalled } from './install.mjs';

/** Builds everything; returns true on success. */
export async function build() {
  ensureInstalled();
  const { generateProtocol } = await import('./proto.mjs');
  await generateProtocol();
  const tsc = path.join(root, 'node_modules', '.bin', 'tsc');
  return spawnSync(tsc, ['-b'], { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] }).status === 0;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) process.exit((await build()) ? 0 : 1);
