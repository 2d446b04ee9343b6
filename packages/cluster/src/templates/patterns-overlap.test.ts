import assert from 'node:assert/strict';
import { test } from 'node:test';
import { matchesWildcard } from '@shoal/values';
import fc from 'fast-check';
import { patternsOverlap } from './patterns-overlap.js';

const texts = fc.string({ unit: fc.constantFrom('a', 'b', '-'), maxLength: 6 });
const patterns = fc.string({ unit: fc.constantFrom('a', 'b', '-', '*'), maxLength: 6 });

test('patterns that both match some name overlap', () => {
  fc.assert(
    fc.property(
      patterns,
      patterns,
      texts,
      (a, b, text) => !(matchesWildcard(a, text) && matchesWildcard(b, text)) || patternsOverlap(a, b),
    ),
  );
  assert.ok(patternsOverlap('logs-*', '*-prod'));
  assert.ok(!patternsOverlap('a*b', 'a*c'));
  assert.ok(!patternsOverlap('logs-*', 'metrics-*'));
});

test('patterns that overlap both match the name made of their beginnings, middles and ends', () => {
  const longest = (a: string, b: string): string => (a.length > b.length ? a : b);
  const nameOf = (a: string, b: string): string => {
    if (!a.includes('*') || !b.includes('*')) return a.includes('*') ? b : a;
    const middle = (pattern: string): string => pattern.split('*').slice(1, -1).join('');
    const start = longest(a.split('*')[0]!, b.split('*')[0]!);
    return start + middle(a) + middle(b) + longest(a.split('*').at(-1)!, b.split('*').at(-1)!);
  };
  fc.assert(
    fc.property(patterns, patterns, (a, b) => {
      const name = nameOf(a, b);
      return !patternsOverlap(a, b) || (matchesWildcard(a, name) && matchesWildcard(b, name));
    }),
  );
});

test('patterns of any length are compared', () => {
  assert.ok(patternsOverlap('*'.repeat(50_000), `${'a*'.repeat(50_000)}`));
});
