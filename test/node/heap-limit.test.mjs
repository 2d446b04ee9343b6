// The memory budget bounds the heap: V8 takes a limit only when the process starts.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { call, root, startNode, temporaryFolder } from '../node-process.mjs';

const MB = 2 ** 20;

test('the heap of a node is within its memory budget, as `_nodes/stats` shows', async () => {
  for (const megabytes of [256, 512]) {
    const node = await startNode({ settings: { 'memory.limit': `${megabytes}mb` } });
    try {
      const { mem } = Object.values((await call(node, 'GET', '/_nodes/stats/jvm')).body.nodes)[0].jvm;
      assert.equal(mem.heap_max_in_bytes, megabytes * MB);
      const old = mem.pools.old.max_in_bytes;
      assert.ok(old > megabytes * 0.75 * MB && old <= megabytes * MB, `${old} bytes`);
    } finally {
      await node.stop();
    }
  }
});

/** The option for V8 that the program gives `node`. */
function heapOption(args, env = {}) {
  const script = path.join(root, 'packages', 'node', 'bin', 'heap-limit.sh');
  return execFileSync('sh', ['-c', '. "$0"; heap_option "$@"', script, ...args], {
    env: { PATH: process.env.PATH, ...env },
    encoding: 'utf8',
  });
}

test('the program finds the budget where the node does', () => {
  const file = path.join(temporaryFolder('heap'), 'shoal.yml');
  fs.writeFileSync(file, 'node:\n  name: a\n  limit: 9\nmemory:\n  # of the process\n  limit: "1000mb"\n');
  const dotted = `${file}.dotted`;
  fs.writeFileSync(dotted, 'node.name: a\nmemory.limit: 2gb\n');
  const cases = [
    [['-E', 'memory.limit=1000mb'], {}, 800],
    [['-Ememory.limit=1000mb'], {}, 800],
    [['--memory', '1gb'], {}, 819],
    [['--memory=1gb'], {}, 819],
    [['--memory.limit', '1000mb'], {}, 800],
    [['-E', 'node.name=memory.limit=9gb', '--memory', '1000mb'], {}, 800],
    [[], { ES_JAVA_OPTS: '-Xms1g -Xmx1000m' }, 800],
    [[], { SHOAL_ENVIRONMENT: 'http.port=1\nmemory.limit=1000mb\n' }, 800],
    [[], { ES_SETTING_MEMORY_LIMIT: '1000mb' }, 800],
    [['--config', file], {}, 800],
    [[`--config=${dotted}`], {}, 1638],
    [['--config', file, '-E', 'memory.limit=500mb'], { ES_JAVA_OPTS: '-Xmx2g' }, 400],
    [['-E', 'memory.limit=1mb'], {}, 102],
  ];
  for (const [args, env, megabytes] of cases)
    assert.equal(heapOption(args, env), `--max-old-space-size=${megabytes}`, JSON.stringify({ args, env }));
  assert.equal(heapOption([], { NODE_OPTIONS: '--max-old-space-size=99' }), '');
});

test('containers of the compose and kubernetes files may use a quarter more than the budget', () => {
  const compose = fs.readFileSync(path.join(root, 'docker-compose.yml'), 'utf8');
  assert.match(compose, /^ {2}mem_limit: 640m$/m);
  assert.match(compose, /ES_JAVA_OPTS: -Xms512m -Xmx512m/);
  const text = fs.readFileSync(path.join(root, 'deploy', 'kubernetes', 'shoal.yaml'), 'utf8');
  assert.match(text, /limits: \{memory: 640Mi\}/);
  assert.match(text, /- memory\.limit=512mb/);
});
