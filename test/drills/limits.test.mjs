// Short forms of the drills on limits.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { call, startNode } from '../node-process.mjs';
import { residentPeakMegabytes } from '../resident-memory.mjs';
import { bigBodies } from './big-bodies.mjs';
import { largeBulks } from './large-bulks.mjs';
import { mixedOverload } from './mixed-overload.mjs';
import { overload } from './overload.mjs';
import { slowLoris } from './slow-loris.mjs';

test(
  'at many times the load the rest is refused with 429, what is ' + 'taken is answered, and nothing is left behind',
  async () => {
    const { measured, again, pool } = await overload({ seconds: 2, times: 8, documents: 10_000, turns: 1 });
    const [{ over }] = measured;
    assert.ok(over.goodPerSecond > 0 && again.goodPerSecond > 0, JSON.stringify({ over, again }));
    assert.equal(over.others, 0);
    assert.deepEqual([pool.active, pool.queue], [0, 0]);
  },
);

test('aggregations that ask for five times the node leave searches their share, and nothing behind', async () => {
  const { dashboards } = await mixedOverload({
    mixes: ['dashboards'],
    seconds: 3,
    times: 5,
    calmSeconds: 2,
    warmSeconds: 0.2,
  });
  const { shares, asks, over, after, calm } = dashboards;
  // Without shares by time a search got 15 % of its own: as many as aggregations, which take sixty times as long. This
  // is by answers, or by the node's own account, since on a machine that others use hardly anything is answered within
  // seconds; on a quiet one an answer costs less than alone, where the engine still compiled.
  const share = Math.max(shares.match, over.work.search / Math.min(asks.match, 1 / 3));
  assert.ok(share > (over.processors > 0.9 ? 0.5 : 0.3), JSON.stringify({ share, shares, asks, work: over.work }));
  assert.ok(over.work.aggregation > 0);
  assert.deepEqual([over.all.others, after.all.others, calm.all.others], [0, 0, 0]);
  // A node that gets a fraction of a processor spends it on refusing: then times tell of the machine.
  if (over.processors > 0.6) assert.ok(over.all.refusedP99 < 500, `${over.all.refusedP99} ms until a refusal`);
});

test('clients that hardly send are cut, and others are answered meanwhile', async () => {
  const { among, before, during, leftOpen, writeStatus } = await slowLoris({
    connections: 300,
    seconds: 14,
    settings: { 'shoal.http.headers_timeout': '3s' },
  });
  assert.deepEqual([leftOpen, writeStatus, among.others], [0, 201, 0]);
  assert.ok(during - before < 150, `${before} MB before, ${during} MB with them`);
});

test('bodies beyond what there is room for are refused, and the memory budget is kept', async () => {
  const { statuses, peak, writeStatus } = await bigBodies({ gigabytes: 0.4, clients: 4 });
  assert.equal(writeStatus, 201);
  assert.ok(peak < 512, `${peak} MB resident`);
  assert.deepEqual(
    Object.keys(statuses).filter((status) => !['0', '200', '400', '413', '429'].includes(status)),
    [],
  );
});

test(
  'clients that send large bulks again and again, refused or ' + 'not, leave time for writing and for operators',
  async () => {
    const { statuses, peak, longestMs } = await largeBulks({ clients: 100, seconds: 3, operations: 10_000 });
    assert.ok(statuses[200] > 0 && statuses[429] > 0, JSON.stringify(statuses));
    assert.deepEqual(Object.keys(statuses), ['200', '429']);
    assert.ok(peak < 512, `${peak} MB resident`);
    assert.ok(longestMs < 5_000, `${longestMs} ms`);
  },
);

test(
  'a bulk larger than the room for writes is taken when it is ' + 'alone; one of millions of operations is refused',
  async () => {
    const node = await startNode({ settings: { 'memory.limit': '512mb' } });
    const bulk = (line, count) => call(node, 'POST', '/i/_bulk?filter_path=errors,error.type', line.repeat(count));
    try {
      const large = `{"index":{}}\n{"t":"${'lorem ipsum '.repeat(350)}"}\n`;
      assert.deepEqual((await bulk(large, Math.ceil((60 * 2 ** 20) / large.length))).body, { errors: false });
      const many = await bulk('{"index":{}}\n{"a":1}\n', 2_000_000);
      assert.deepEqual([many.status, many.body.error.type], [429, 'circuit_breaking_exception']);
      assert.ok(residentPeakMegabytes(node.pid) < 512, `${residentPeakMegabytes(node.pid)} MB resident`);
    } finally {
      await node.stop();
    }
  },
);
