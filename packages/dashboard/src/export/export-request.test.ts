import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BodyError } from '../guard/strict-json.js';
import { readExportRequest } from './export-request.js';

test('query and sort stay as they came', () => {
  const text =
    '{"index":"a-*","query":{"term":{"n":9007199254740993}},"sort":[{"n":"asc"}],"columns":["n","n"],"format":"csv"}';
  assert.deepEqual(readExportRequest(text), {
    index: 'a-*',
    query: '{"term":{"n":9007199254740993}}',
    sort: '[{"n":"asc"}]',
    columns: ['n'],
    format: 'csv',
  });
  assert.deepEqual(readExportRequest('{"index":"a","columns":[],"format":"ndjson"}'), {
    index: 'a',
    query: '{"match_all":{}}',
    sort: '["_doc"]',
    columns: null,
    format: 'ndjson',
  });
});

test('what is no request is refused with the member that is wrong', () => {
  const bad: readonly (readonly [string, RegExp])[] = [
    ['', /no JSON/],
    ['[]', /must be an object/],
    ['{"index":"a","format":"csv","size":1}', /unknown key \[size\]/],
    ['{"format":"csv"}', /\[index\]/],
    ['{"index":" ","format":"csv"}', /\[index\]/],
    ['{"index":"\\ud800","format":"csv"}', /\[index\] must be Unicode/],
    ['{"index":"a","format":"xlsx"}', /\[format\]/],
    ['{"index":"a","format":"csv","query":[]}', /\[query\]/],
    ['{"index":"a","format":"csv","sort":{}}', /\[sort\]/],
    ['{"index":"a","format":"csv","columns":[1]}', /\[columns\]/],
    ['{"index":"a","format":"csv","query":{"__proto__":{}}}', /__proto__/],
    [`{"index":"a","format":"csv","query":${'{"a":'.repeat(60)}1${'}'.repeat(60)}}`, /nested/],
  ];
  for (const [text, message] of bad)
    assert.throws(
      () => readExportRequest(text),
      (error) => error instanceof BodyError && message.test(error.message),
      text,
    );
});
