import assert from 'node:assert/strict';
import test from 'node:test';
import { runs } from '@shoal/testing';
import fc from 'fast-check';
import { matchesWildcard } from '@shoal/values';
import { pathMatcher } from './path-matcher.js';

/** Whether a pattern ends at some prefix of the path: by trying everything. */
function endsAtPrefix(levels: readonly string[], path: readonly string[]): boolean {
  if (levels.length === 0) return true;
  if (path.length === 0) return false;
  const [level, ...rest] = levels;
  if (level === '**') return rest.length === 0 || endsAtPrefix(rest, path) || endsAtPrefix(levels, path.slice(1));
  return matchesWildcard(level!, path[0]!) && endsAtPrefix(rest, path.slice(1));
}

function walk(patterns: readonly (readonly string[])[], path: readonly string[]): boolean {
  const matcher = pathMatcher(patterns);
  let at = matcher.start;
  for (const name of path) {
    const { matched, next } = matcher.step(at, name);
    if (matched) return true;
    at = next;
  }
  return false;
}

const name = fc.constantFrom('a', 'b', 'ab', 'c');
const pattern = fc
  .array(fc.constantFrom('a', 'b', 'a*', '*', '**', '*b'), { minLength: 1, maxLength: 6 })
  .map((levels) => levels.filter((level, i) => level !== '**' || levels[i - 1] !== '**'));

test('a path matches as if every way through every pattern were tried', () => {
  fc.assert(
    fc.property(fc.array(pattern, { minLength: 1, maxLength: 4 }), fc.array(name, { maxLength: 6 }), (patterns, path) =>
      assert.equal(
        walk(patterns, path),
        patterns.some((levels) => endsAtPrefix(levels, path)),
      ),
    ),
    { numRuns: runs(2_000) },
  );
});

test('a set has each position once, however many ways lead there', () => {
  const levels = Array.from({ length: 40 }, (_, i) => (i % 2 === 0 ? '**' : '*'));
  const matcher = pathMatcher([[...levels, 'x']]);
  let at = matcher.start;
  for (let depth = 0; depth < 60; depth++) at = matcher.step(at, 'y').next;
  assert.ok(at.wild.length <= levels.length);
  assert.equal(matcher.step(at, 'x').matched, true);
});

test('steps that are kept have a bound, and are right after it', () => {
  const matcher = pathMatcher([['*', 'x']]);
  for (let i = 0; i < 10_000; i++) {
    const { matched, next } = matcher.step(matcher.start, `n${i}`);
    assert.deepEqual([matched, matcher.step(next, 'x').matched, matcher.step(next, 'y').matched], [false, true, false]);
  }
});
