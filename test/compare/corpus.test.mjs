// Replays cases in which a node once differed from Elasticsearch 8.12, against the answers of 8.12 that were kept.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startNode } from '../node-process.mjs';
import { KEPT_PREFIX, readCorpus } from './corpus.mjs';
import { compared } from './pair.mjs';
import { server } from './server.mjs';

let started;
let node;
before(async () => {
  started = await startNode();
  node = server(started.url);
});
after(() => started?.stop());

/** Cases with a name of their own are tests of their own. */
const cases = readCorpus();
const nameOf = ({ id, area }) => (area === 'named' ? id : `${area}: cases that once differed are answered as by 8.12`);
for (const name of new Set(cases.map(nameOf))) {
  test(name, async () => {
    const wrong = [];
    for (const { id, area, setup, steps, answers } of cases.filter((one) => nameOf(one) === name)) {
      await node.clean(KEPT_PREFIX, { templates: area === 'templates' });
      await node.run(setup);
      const ours = await node.run(steps);
      const found = steps
        .map((step, i) => compared(step, answers[i], ours[i], KEPT_PREFIX))
        .find((one) => one !== null);
      if (found) wrong.push({ id, steps, theirs: found.theirs, ours: found.ours });
    }
    assert.deepEqual(wrong, []);
  });
}
