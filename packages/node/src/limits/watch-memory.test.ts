import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { test } from 'node:test';

/** A process of 64 open files that watches its memory, takes every file there is, and says so after two looks. */
const PROGRAM = `
  import fs from 'node:fs';
  const { watchMemory } = await import(process.argv[1]);
  const stop = watchMemory(2 ** 30);
  let code = null;
  while (code === null) try { fs.openSync('/dev/null'); } catch (error) { code = error.code; }
  setTimeout(() => { stop(); fs.writeSync(1, code); }, 500);
`;

const isLinux = existsSync('/proc/self/statm');

test('memory is looked at while no file can be opened', { skip: !isLinux }, () => {
  const watch = new URL('watch-memory.js', import.meta.url).href;
  const command = ['-c', 'ulimit -n 64 && exec "$@"', 'sh', process.execPath, '--input-type=module', '-e', PROGRAM];
  assert.equal(execFileSync('sh', [...command, watch], { encoding: 'utf8' }), 'EMFILE');
});
