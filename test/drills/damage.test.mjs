// The short form of the drill that damages files of a data folder.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { damageDrill } from './damage.mjs';

test('a node with damaged files says so, or has lost nothing', async () => {
  const results = await damageDrill({ count: 14, seed: Date.now() % 1e9 });
  const lost = results.filter(({ said }) => said.startsWith('LOST'));
  assert.deepEqual(lost, []);
  assert.ok(results.length >= 5, `${results.length} places`);
});
