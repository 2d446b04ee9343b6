import assert from 'node:assert/strict';
import { test } from 'node:test';
import { JsonText, stringify } from '@shoal/json';
import { measuredCopy } from './measured-copy.js';

const VALUES: readonly unknown[] = [
  null,
  'text',
  1.5,
  [],
  {},
  [[], {}, [1, [true, null]]],
  { a: { b: [{ c: new JsonText('1.0') }, 'x'] }, __proto__x: 2, '': [12345678901234567890n] },
  Array.from({ length: 3_000 }, (_, i) => ({ i, t: String(i) })),
];

test('a copy is equal to its original, shares nothing with it, and has the length of its JSON', async () => {
  for (const isBusy of [false, true]) {
    const pause = (): Promise<void> | null => (isBusy ? Promise.resolve() : null);
    for (const value of VALUES) {
      const { value: copy, length } = await measuredCopy(value, pause);
      assert.deepEqual(copy, value);
      if (typeof value === 'object' && value !== null) assert.notEqual(copy, value);
      assert.equal(length, stringify(value).length);
    }
  }
});

test('keys of prototypes are keys', async () => {
  const { value, members } = await measuredCopy(JSON.parse('{"__proto__":{"a":1}}'), () => null);
  assert.deepEqual([JSON.stringify(value), members], ['{"__proto__":{"a":1}}', 2]);
});

test('a value that holds itself is refused', () => {
  const value: Record<string, unknown> = {};
  value['a'] = [value];
  assert.throws(() => measuredCopy(value, () => null), {
    type: 'illegal_argument_exception',
    reason: 'the document is nested deeper than [1000] levels',
  });
});
