import assert from 'node:assert/strict';
import { test } from 'node:test';
import { namePatterns } from './name-patterns.js';

const MIXED = ['logs', 'logs-*', 'a?c', 'x*z', '/[0-9]+-m.*/', 'q\\*'];

test('names, prefixes, wildcards and expressions match beside each other', () => {
  const { matches } = namePatterns(MIXED);
  for (const name of ['logs', 'logs-', 'logs-1', 'abc', 'xyz', 'xz', '12-m', '1-mx', 'q*'])
    assert.ok(matches(name), name);
  for (const name of ['log', 'logsx', 'ac', 'xzy', 'm-1', 'qq', '']) assert.ok(!matches(name), name);
});

test('a pattern is covered by all patterns together, also by none of them alone', () => {
  const { coversPattern } = namePatterns([...MIXED, 'p-a*', '/p-[^a].*/', 'p-']);
  for (const pattern of ['logs-*', 'logs-2024-*', 'logs-?', 'logs', 'a?c', 'abc', '/[0-9]-mm/', 'q\\*', 'p-*'])
    assert.ok(coversPattern(pattern), pattern);
  for (const pattern of ['log*', 'l*', 'a*', '*', 'none*', '/[a-z]-m/', 'q*'])
    assert.ok(!coversPattern(pattern), pattern);
});

test('thousands of prefixes are looked up', () => {
  const before = process.cpuUsage();
  const patterns = Array.from({ length: 5_000 }, (_, i) => `r${i}-*`);
  const all = namePatterns(patterns);
  const alone = patterns.map((pattern) => namePatterns([pattern]));
  assert.ok(
    all.matches('r4999-x') && !all.matches('r5000-x') && alone[7]!.matches('r7-') && !alone[7]!.matches('r77-'),
  );
  assert.ok(all.coversPattern('r12-a*') && all.coversPattern('r12-?') && !all.coversPattern('r12*'));
  const { user } = process.cpuUsage(before);
  assert.ok(user < 2_000_000, `${user} us`);
});
