import assert from 'node:assert/strict';
import { test } from 'node:test';
import { quarantineCauses } from './quarantine-causes.js';

const size = (name: string, documents: number) => ({
  name,
  documents,
  bytes: 1,
  oldestMs: 0,
  indices: [],
  isWhole: true,
});

test('a quarantine with documents is told with the calls that show and try them; empty ones are not', () => {
  const [cause, ...more] = quarantineCauses([size('logs', 2), size('empty', 0)], { kept: 2, lost: 0, replayed: 0 });
  assert.equal(more.length, 0);
  assert.equal(
    cause!.why,
    '2 documents were refused by a pipeline or the mapping since 1970-01-01T00:00:00.000Z, and can be written once ' +
      'that is mended',
  );
  assert.deepEqual(
    cause!.mend.map(({ method, path }) => `${method} ${path}`),
    ['GET /logs/_quarantine', 'POST /logs/_quarantine/_replay'],
  );
});

test('documents that could not be kept are told for the whole cluster', () => {
  const [cause] = quarantineCauses([], { kept: 0, lost: 3, replayed: 0 });
  assert.match(cause!.why, /^3 refused documents could not be kept/);
  assert.deepEqual(quarantineCauses([], null), []);
});
