import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { isQuorum, sameConfig } from './quorum.js';
import { reconfigure, type ReconfigurationInput } from './reconfigure.js';

const IDS = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];
const next = (live: string, current: string, more: Partial<ReconfigurationInput> = {}): string =>
  reconfigure({
    live: [...live],
    exclusions: [],
    leaderId: 'a',
    current: [...current],
    autoShrink: true,
    ...more,
  }).join('');

test('the configuration grows to the largest odd number of live voters', () => {
  assert.equal(next('ab', 'a'), 'a');
  assert.equal(next('abc', 'a'), 'abc');
  assert.equal(next('abcd', 'abc'), 'abc');
  assert.equal(next('abcde', 'abc'), 'abcde');
});

test('it shrinks with the cluster, but not below three once there were three', () => {
  assert.equal(next('abc', 'abcde'), 'abc');
  assert.equal(next('ab', 'abc'), 'abc');
  assert.equal(next('ab', 'abcde'), 'abc');
  assert.equal(next('a', 'ab'), 'a');
});

test('without auto-shrink it keeps its size', () => {
  assert.equal(next('abc', 'abcde', { autoShrink: false }), 'abcde');
  assert.equal(next('abcf', 'abcde', { autoShrink: false }), 'abcdf');
});

test('absent members and placeholders give way to live voters', () => {
  assert.equal(next('abd', 'abc'), 'abd');
  assert.equal(next('abc', 'ab{'), 'abc');
});

test('excluded voters leave, the leader too', () => {
  assert.equal(next('abc', 'abc', { exclusions: ['c'] }), 'a');
  assert.equal(next('abcd', 'abc', { exclusions: ['a'] }), 'bcd');
});

const subset = fc.subarray(IDS);
const input = fc.record({
  live: subset,
  exclusions: subset,
  leaderId: fc.constantFrom(...IDS),
  current: subset,
  autoShrink: fc.boolean(),
});

test('a new configuration is never empty, holds a live quorum and no excluded voter, and is stable', () => {
  fc.assert(
    fc.property(input, (i) => {
      const result = reconfigure(i);
      if (result === i.current) return;
      const live = i.live.filter((id) => !i.exclusions.includes(id));
      assert.ok(result.length > 0 && isQuorum(live, result));
      assert.ok(!result.some((id) => i.exclusions.includes(id)));
      assert.equal(new Set(result).size, result.length);
      assert.equal(reconfigure({ ...i, current: result }), result);
    }),
  );
});

test('the order of live voters and members does not matter', () => {
  fc.assert(
    fc.property(input, (i) => {
      const reversed = { ...i, live: [...i.live].reverse(), current: [...i.current].reverse() };
      assert.ok(sameConfig(reconfigure(i), reconfigure(reversed)));
    }),
  );
});

test('two quorums of one configuration share a member', () => {
  fc.assert(
    fc.property(subset, subset, subset, (config, a, b) => {
      if (!isQuorum(a, config) || !isQuorum(b, config)) return;
      assert.ok(config.some((id) => a.includes(id) && b.includes(id)));
    }),
  );
});

test('isQuorum counts more than half, as a count of members says', () => {
  fc.assert(
    fc.property(subset, subset, (config, votes) => {
      const expected = config.length > 0 && config.filter((id) => votes.includes(id)).length > config.length / 2;
      assert.equal(isQuorum(votes, config), expected);
    }),
  );
});
