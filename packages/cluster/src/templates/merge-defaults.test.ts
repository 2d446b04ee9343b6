import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mergeDefaults } from './merge-defaults.js';

test('objects are merged key by key, what is there wins', () => {
  const template = { properties: { f: { type: 'integer', null_value: 2 }, o: { properties: { x: { type: 'ip' } } } } };
  const given = { properties: { f: { type: 'text' }, o: { properties: { y: { type: 'date' } } } }, dynamic: false };
  assert.deepEqual(mergeDefaults(given, template), {
    properties: {
      f: { type: 'text', null_value: 2 },
      o: { properties: { y: { type: 'date' }, x: { type: 'ip' } } },
    },
    dynamic: false,
  });
});

test('lists of named objects are merged by name, other lists get the defaults first', () => {
  const [a, b, c] = [{ a: { match: 'x' } }, { b: { match: 'y' } }, { a: { unmatch: 'z' } }];
  assert.deepEqual(mergeDefaults({ t: [b, c] }, { t: [a] }), { t: [b, { a: { unmatch: 'z', match: 'x' } }] });
  assert.deepEqual(mergeDefaults({ d: ['q', 'r'] }, { d: ['p', 'q'] }), { d: ['p', 'q', 'r'] });
  assert.deepEqual(mergeDefaults({ d: 1 }, { d: ['p'] }), { d: 1 });
});
