import assert from 'node:assert/strict';
import { test } from 'node:test';
import { countedField, type Field, fieldsOf, timeFieldOf } from './fields.js';

const caps = (type: string, more: object = {}): object => ({
  [type]: { searchable: true, aggregatable: true, ...more },
});
const date = (name: string): Field => ({
  name,
  type: 'date',
  isSearchable: true,
  isAggregatable: true,
  isVariant: false,
});

test('fields are listed by name, with their variants, and without those of the cluster', () => {
  const fields = fieldsOf({
    fields: {
      message: caps('text', { aggregatable: false }),
      'message.raw': caps('keyword'),
      user: caps('object', { aggregatable: false }),
      'user.name': caps('keyword'),
      code: { ...caps('long'), ...caps('keyword') },
      rare: { ...caps('ip'), ...caps('unmapped') },
      _id: caps('_id', { metadata_field: true }),
    },
  });
  assert.deepEqual(
    fields.map(({ name, type, isVariant }) => [name, type, isVariant]),
    [
      ['code', 'conflict', false],
      ['message', 'text', false],
      ['message.raw', 'keyword', true],
      ['rare', 'ip', false],
      ['user', 'object', false],
      ['user.name', 'keyword', false],
    ],
  );
  assert.equal(countedField(fields, 'message')?.name, 'message.raw');
  assert.equal(countedField(fields, 'none'), null);
  assert.deepEqual(fieldsOf(null), []);
});

test('the field of time is the one asked for, @timestamp, the only date, or one named like it', () => {
  const named = (...names: string[]): readonly Field[] => names.map(date);
  assert.equal(timeFieldOf(named('a', '@timestamp'), null), '@timestamp');
  assert.equal(timeFieldOf(named('a', '@timestamp'), 'a'), 'a');
  assert.equal(timeFieldOf(named('a', '@timestamp'), ''), null);
  assert.equal(timeFieldOf(named('a', '@timestamp'), 'gone'), '@timestamp');
  assert.equal(timeFieldOf(named('when'), null), 'when');
  assert.equal(timeFieldOf(named('born', 'created_at'), null), 'created_at');
  assert.equal(timeFieldOf(named('born', 'died'), null), null);
});
