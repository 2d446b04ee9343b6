// npm start: installs what is missing, builds what changed and runs one node with its data in ./data.
// Arguments are handed to the node: npm start -- -E http.port=9210
import path from 'node:path';
import { spawn } from 'node:child_process';
import { root } from './boundaries-table.mjs';
import { build } from './build.mjs';

if (!(await build())) process.exit(1);
const bin = path.join(root, 'packages', 'node', 'bin', 'shoal.mjs');
// Two arenas instead of eight a processor: the pool's many threads would each keep freed memory of their own. Fixed thresholds: glibc raises its own
// as large blocks are freed, and keeps what was freed behind small ones (docs/adr/0007).
const env = { MALLOC_ARENA_MAX: '2', MALLOC_MMAP_THRESHOLD_: '65536', MALLOC_TRIM_THRESHOLD_: '262144', ...process.env };
const child = spawn(process.execPath, [bin, '-E', `path.data=${path.join(root, 'data')}`, ...process.argv.slice(2)], { stdio: 'inherit', env });
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal));
child.on('exit', (code, signal) => process.exit(signal ? 1 : (code ?? 0)));
