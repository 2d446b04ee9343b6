import assert from 'node:assert/strict';
import { test } from 'node:test';
import { completeKql, kqlValue } from './complete-kql.js';

const fields = ['host', 'level', 'user.level'];

test('fields, operators, values and conjunctions are completed where they may be', () => {
  assert.deepEqual(completeKql('', fields), { kind: 'field', from: 0, texts: fields });
  assert.deepEqual(completeKql('lev', fields), { kind: 'field', from: 0, texts: ['level', 'user.level'] });
  assert.deepEqual(completeKql('host: a and (le', fields), {
    kind: 'field',
    from: 13,
    texts: ['level', 'user.level'],
  });
  assert.equal(completeKql('level', fields)?.kind, 'operator');
  assert.deepEqual(completeKql('level: er', fields), { kind: 'value', from: 7, field: 'level', prefix: 'er' });
  assert.deepEqual(completeKql('level >= ', fields), { kind: 'value', from: 9, field: 'level', prefix: '' });
  assert.deepEqual(completeKql('level: error ', fields), { kind: 'conjunction', from: 13, texts: ['and ', 'or '] });
  assert.deepEqual(completeKql('level: error o', fields), { kind: 'conjunction', from: 13, texts: ['or '] });
  assert.equal(completeKql('level: "err', fields), null);
});

test('values are quoted when they are no plain words', () => {
  assert.deepEqual(['error', 'a b', 'and', 'x"y', '1.10', '*'].map(kqlValue), [
    'error',
    '"a b"',
    '"and"',
    '"x\\"y"',
    '1.10',
    '"*"',
  ]);
});
