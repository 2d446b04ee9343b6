import assert from 'node:assert/strict';
import { test } from 'node:test';
import { importObjects } from './import-objects.js';
import type { SavedObjectStore } from './object-store.js';

const store = { writeAll: async () => [] } as unknown as SavedObjectStore;

test('names that are no texts are told as they are written', async () => {
  // Objects with a member `toString` are no names that JavaScript could print by itself.
  const file = '{"type":["dashboard",{"toString":"/"}],"id":{"toString":9007199254740993},"attributes":{}}\n{}\n';
  const { errors } = await importObjects(Buffer.from(file), store, { isOverwrite: false, objectsMax: 10 });
  assert.deepEqual(
    errors!.map(({ type, id, error }) => [type, id, error.type]),
    [
      ['["dashboard",{"toString":"/"}]', '{"toString":9007199254740993}', 'unsupported_type'],
      ['undefined', 'undefined', 'unsupported_type'],
    ],
  );
});
