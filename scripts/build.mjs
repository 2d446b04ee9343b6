// Generates the message codecs from proto/, compiles all packages and joins the program into one file. Usage: node
// scripts/build.mjs
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
  if (spawnSync(tsc, ['-b'], { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] }).status !== 0) return false;
  const { bundle } = await import('./bundle.mjs');
  await bundle();
  return true;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) process.exit((await build()) ? 0 : 1);
