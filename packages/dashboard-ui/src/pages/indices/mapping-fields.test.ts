import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addedText, fieldBody, mappedFields } from './mapping-fields.js';

test('fields come with their full names, types and parameters', () => {
  const fields = mappedFields({
    properties: {
      title: { type: 'text', fields: { raw: { type: 'keyword', ...{ ignore_above: 256 } } } },
      user: { properties: { name: { type: 'keyword' } } },
    },
  });
  assert.deepEqual(fields, [
    { name: 'title', type: 'text', parameters: '' },
    { name: 'title.raw', type: 'keyword', parameters: '{"ignore_above":256}' },
    { name: 'user', type: 'object', parameters: '' },
    { name: 'user.name', type: 'keyword', parameters: '' },
  ]);
  assert.deepEqual(mappedFields({}), []);
});

test('a field with dots is added below objects', () => {
  assert.deepEqual(fieldBody('a.b', 'date'), { properties: { a: { properties: { b: { type: 'date' } } } } });
  assert.deepEqual(fieldBody('a', 'long'), { properties: { a: { type: 'long' } } });
});

test('what a new field changes is told before, also that nothing does', () => {
  const fields = mappedFields({ properties: { user: { properties: { name: { type: 'text' } } } } });
  assert.equal(addedText(fields, '', 'long'), '');
  assert.match(addedText(fields, 'user.name', 'long'), /^user\.name is text: .* refused/);
  assert.match(addedText(fields, 'user.name', 'text'), /nothing changes/);
  assert.match(addedText(fields, 'user.age', 'long'), /^user\.age is added as long\. Documents/);
  assert.match(addedText(fields, 'a.b.c', 'long'), / a, a\.b above it are made too\./);
});
