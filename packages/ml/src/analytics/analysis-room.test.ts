import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject } from '@shoal/json';
import { createAnalysisActions } from './analysis-room.js';
import type { AnalysisStep } from './analysis.js';

const ROWS = 60;
const ID = 'prices';

interface Given {
  readonly names?: readonly string[];
  readonly kind?: 'number' | 'category';
  readonly rows?: number;
  readonly lambda?: number;
}

/** Opens an analysis of generated rows, ready to begin. */
function opened({ names = ['a', 'b', 'y'], kind = 'number', rows = ROWS, lambda = 0.5 }: Given = {}) {
  const actions = createAnalysisActions(() => 0);
  const call = (action: string, body: JsonObject = {}): unknown => actions[action]!({ id: ID, ...body });
  const analysis = { regression: { dependent_variable: 'y', lambda, max_trees: 5, randomize_seed: 3 } };
  const config = { id: ID, source: { index: 'sold' }, dest: { index: 'told' }, analysis };
  const fields = names.map((name) => ({ name, kind: name === 'a' ? kind : 'number', types: ['double'], reason: '' }));
  call('analysis-open', { config, fields } as unknown as JsonObject);
  const lines = Array.from({ length: rows }, (_, i) => [i % 7, (i * 5) % 11, (i % 7) + 2 * ((i * 5) % 11)]);
  call('analysis-rows', { rows: Buffer.from(JSON.stringify(lines)) } as unknown as JsonObject);
  return call;
}

/** What a whole analysis trains, as it is kept. */
function trained(): Uint8Array {
  const call = opened();
  call('analysis-begin');
  while (!(call('analysis-step') as AnalysisStep).isDone);
  return call('analysis-trained') as Uint8Array;
}

test('what was trained is gone on with for the same columns, rows and settings alone', () => {
  const batch = trained();
  const restores = (given: Given): unknown => opened(given)('analysis-restore', { batch } as unknown as JsonObject);
  assert.equal(restores({}), true);
  assert.equal(restores({ names: ['a', 'c', 'y'] }), false);
  assert.equal(restores({ names: ['b', 'a', 'y'] }), false);
  assert.equal(restores({ kind: 'category' }), false);
  assert.equal(restores({ rows: ROWS - 1 }), false);
  assert.equal(restores({ lambda: 0.6 }), false);
});

test('a damaged batch is refused', () => {
  for (const text of ['', '{', 'null', '[]', '{}', '{"losses":1,"rounds":[]}'])
    assert.equal(opened()('analysis-restore', { batch: Buffer.from(text) } as unknown as JsonObject), false);
});
