import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkSearchKeys } from '../parse-search.js';
import { searchOf, sectionTable } from '../../testing/section-table.js';

test('flags are true, false, or those as text', () => {
  const wrong = (value: string): string =>
    `illegal_argument_exception: Failed to parse value [${value}] as only [true] or [false] are allowed.`;
  for (const [name, key] of [
    ['version', 'version'],
    ['seqNoPrimaryTerm', 'seq_no_primary_term'],
    ['explain', 'explain'],
    ['tracksScores', 'track_scores'],
    ['profile', 'profile'],
  ] as const)
    sectionTable(
      name,
      [
        [{}, false],
        [{ [key]: true }, true],
        [{ [key]: 'true' }, true],
        [{ [key]: false }, false],
        [{ [key]: 'false' }, false],
      ],
      [
        [{ [key]: 'yes' }, wrong('yes')],
        [{ [key]: 1 }, wrong('1')],
        [{ [key]: [] }, `parsing_exception: Unknown key for a START_ARRAY in [${key}].`],
        [{ [key]: null }, `parsing_exception: Unknown key for a VALUE_NULL in [${key}].`],
      ],
    );
});

test('scores of named queries are asked for by a parameter, not by the body', () => {
  assert.throws(() => checkSearchKeys({ include_named_queries_score: true }), {
    type: 'parsing_exception',
    message: 'Unknown key for a VALUE_BOOLEAN in [include_named_queries_score].',
  });
});

test('a profile is gathered from every shard, an explanation makes hits costly, and false asks for neither', () => {
  assert.equal(searchOf({ profile: true }).gathersMore, true);
  assert.equal(searchOf({ profile: false }).gathersMore, false);
  assert.equal(searchOf({ explain: true }).isCostlyToShow, true);
  assert.equal(searchOf({ explain: false }).isCostlyToShow, false);
});
