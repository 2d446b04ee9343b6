// npm start: installs what is missing, builds what changed and runs one node with its data in ./data, and the dashboard
// within it on port 5601. Arguments are handed to the node: npm start -- -E http.port=9210
import path from 'node:path';
import { spawn } from 'node:child_process';
import { root } from './boundaries-table.mjs';
import { build } from './build.mjs';

if (!(await build())) process.exit(1);
const child = spawn(
  path.join(root, 'packages', 'node', 'bin', 'shoal'),
  ['-E', `path.data=${path.join(root, 'data')}`, '-E', 'dashboard.enabled=true', ...process.argv.slice(2)],
  { stdio: 'inherit' },
);
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal));
child.on('exit', (code, signal) => process.exit(signal ? 1 : (code ?? 0)));
