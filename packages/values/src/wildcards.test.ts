import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { matchesWildcard, selectNames } from './wildcards.js';

const texts = fc.string({ unit: fc.constantFrom('a', 'b', '-'), maxLength: 6 });
const patterns = fc.string({ unit: fc.constantFrom('a', 'b', '-', '*'), maxLength: 6 });

test('a star stands for any characters, none included', () => {
  assert.ok(matchesWildcard('logs-*', 'logs-'));
  assert.ok(matchesWildcard('*-2026-*', 'logs-2026-11'));
  assert.ok(!matchesWildcard('logs-*x', 'logs-xy'));
});

test('matching agrees with the obvious definition', () => {
  const slow = (pattern: string, text: string): boolean => {
    if (pattern === '') return text === '';
    if (pattern[0] !== '*') return pattern[0] === text[0] && text !== '' && slow(pattern.slice(1), text.slice(1));
    return slow(pattern.slice(1), text) || (text !== '' && slow(pattern, text.slice(1)));
  };
  fc.assert(fc.property(patterns, texts, (pattern, text) => matchesWildcard(pattern, text) === slow(pattern, text)));
});

test('_all selects every name', () => {
  assert.deepEqual(selectNames(['a', 'b'], ['_all']), ['a', 'b']);
});
