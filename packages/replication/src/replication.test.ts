import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MISTAKES } from './testing/mistakes.js';
import { simulate } from './testing/simulate.js';

/** More run with `node dist/testing/swarm.js FIRST COUNT [MISTAKE]`, fresh ones with each `.ci/run`. */
const SEEDS = 4;
const MOVE_SEEDS = [7, 15];
const MISTAKE_SEEDS_MAX = 60;
/** The first seed that finds a mistake which few seeds find. */
const FIRST_SEED: Partial<Record<(typeof MISTAKES)[number], number>> = {
  'drops operations above the checkpoint when the term changes': 2,
  'answers for operations that are not synced': 105,
  'counts a recovering copy at once': 14,
};

test(
  'whatever crashes, is cut off or promoted: no acknowledged ' + 'write is lost, and the copies come to be equal',
  async () => {
    let acknowledged = 0;
    for (let seed = 0; seed < SEEDS; seed++) {
      const run = await simulate(seed);
      assert.deepEqual(run.problems, [], `seed ${seed}`);
      acknowledged += run.acknowledged;
    }
    assert.ok(acknowledged > SEEDS * 20, `${acknowledged} writes`);
  },
);

test('and so it is when primaries move, disks are full and all processes end at once', async () => {
  let moves = 0;
  for (const seed of MOVE_SEEDS) {
    const run = await simulate(seed, null, true);
    assert.deepEqual(run.problems, [], `seed ${seed}`);
    moves += run.moves;
  }
  assert.ok(moves > 0);
});

test('one seed is one run', async () => {
  assert.deepEqual(await simulate(7), await simulate(7));
});

for (const mistake of MISTAKES) {
  test(`a copy that ${mistake} is found out`, async () => {
    const first = FIRST_SEED[mistake] ?? 0;
    for (let seed = first; seed < first + MISTAKE_SEEDS_MAX; seed++)
      if ((await simulate(seed, mistake)).problems.length > 0) return;
    assert.fail('not found');
  });
}
