import assert from 'node:assert/strict';
import test from 'node:test';
import { createCopyRanks, type CopyRanks } from './copy-ranks.js';

function answer(ranks: CopyRanks, nodeId: string, responseMs: number, queue = 0): void {
  ranks.sent(nodeId)({ responseMs, serviceMs: responseMs / 2, queue });
}

test('nodes that nothing is known of are asked before all others', () => {
  const ranks = createCopyRanks();
  answer(ranks, 'a', 1);
  assert.ok(ranks.rank('new') < ranks.rank('a'));
});

test('slow nodes and nodes with a queue come later', () => {
  const ranks = createCopyRanks();
  answer(ranks, 'fast', 1);
  answer(ranks, 'slow', 10);
  answer(ranks, 'full', 1, 5);
  assert.ok(ranks.rank('fast') < ranks.rank('slow'));
  assert.ok(ranks.rank('fast') < ranks.rank('full'));
});

test('what is under way to a node holds others back from it until it is answered', () => {
  const ranks = createCopyRanks();
  answer(ranks, 'a', 1);
  answer(ranks, 'b', 2);
  const before = ranks.rank('a');
  const done = [ranks.sent('a'), ranks.sent('a'), ranks.sent('a')];
  assert.ok(ranks.rank('a') > ranks.rank('b'));
  for (const end of done) end(null);
  assert.equal(ranks.rank('a'), before);
});

test('one bad moment is forgotten: a node that is passed over draws level', () => {
  const ranks = createCopyRanks();
  answer(ranks, 'a', 1);
  answer(ranks, 'b', 100);
  for (let i = 0; i < 20; i++) ranks.passedOver('a', ['b']);
  assert.ok(ranks.rank('b') - ranks.rank('a') < 0.01);
});

test('nodes that left are forgotten', () => {
  const ranks = createCopyRanks();
  answer(ranks, 'a', 1);
  ranks.keep(() => false);
  assert.equal(ranks.figures().size, 0);
});
