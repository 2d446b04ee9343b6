import assert from 'node:assert/strict';
import test from 'node:test';
import { minimumShouldMatch } from './minimum-should-match.js';

test('minimum_should_match takes counts, percentages and conditions', () => {
  const cases: [string, number, number][] = [
    ['3', 5, 3],
    ['-2', 5, 3],
    ['75%', 4, 3],
    ['75%', 5, 3],
    ['-25%', 4, 3],
    ['-25%', 5, 4],
    ['3<90%', 3, 3],
    ['3<90%', 10, 9],
    ['2<-25% 9<-3', 2, 2],
    ['2<-25% 9<-3', 8, 6],
    ['2<-25% 9<-3', 12, 9],
    ['-9', 3, 0],
    ['7', 3, 7],
    ['2 < 50%', 4, 2],
  ];
  for (const [spec, clauses, expected] of cases)
    assert.equal(minimumShouldMatch(spec, clauses), expected, `${spec} of ${clauses}`);
});

test('minimum_should_match of more characters than are read for each plan is refused', () => {
  assert.throws(() => minimumShouldMatch('2<50% '.repeat(683), 3), {
    type: 'illegal_argument_exception',
    reason: 'The length of [minimum_should_match] [4098] has exceeded the allowed maximum of [4096]',
  });
});
