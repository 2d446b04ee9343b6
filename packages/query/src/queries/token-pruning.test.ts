import assert from 'node:assert/strict';
import { test } from 'node:test';
import { memoryIndex } from '../testing/memory-index.js';
import { prunedTokens, type Pruning } from './token-pruning.js';

test('tokens are counted without their columns', async () => {
  const documents = Array.from({ length: 40 }, (_, i) => ({ s: { the: 1, [`rare${i}`]: 1 } }));
  const index = memoryIndex({ mapping: { s: { type: 'sparse_vector' } }, documents });
  const half = (from: number): number[] => Array.from({ length: 20 }, (_, i) => from + i);
  const searcher = await index.searcher([half(0), half(20)]);
  const opened: string[] = [];
  for (const { reader } of searcher.segments) {
    const numbers = reader.numbers.bind(reader);
    reader.numbers = (field) => {
      opened.push(field);
      return numbers(field);
    };
  }
  const pruning: Pruning = { frequencyRatio: 2, weight: 0.4, onlyPruned: false };
  const kept = prunedTokens(
    [
      ['the', 0.1],
      ['rare0', 1],
      ['none', 1],
    ],
    's',
    pruning,
    searcher,
  );
  assert.deepEqual(kept, [['rare0', 1]]);
  assert.deepEqual(opened, []);
});
