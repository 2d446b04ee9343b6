// Generates the message codecs from proto/ and the expressions of user agents, compiles all packages, joins the
// program into one file, and the pages of the dashboard into files for browsers. Usage: node scripts/build.mjs
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
  const { generateUserAgents } = await import('./user-agents.mjs');
  generateUserAgents();
  const tsc = path.join(root, 'node_modules', '.bin', 'tsc');
  if (spawnSync(tsc, ['-b'], { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] }).status !== 0) return false;
  const { bundle } = await import('./bundle.mjs');
  await bundle();
  const { bundlePages } = await import('./bundle-pages.mjs');
  await bundlePages();
  return true;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) process.exit((await build()) ? 0 : 1);
