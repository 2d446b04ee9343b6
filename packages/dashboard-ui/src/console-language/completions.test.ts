import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { completionsAt } from './completions.js';

/** `|` is the cursor. */
const complete = (text: string) => {
  const at = text.indexOf('|');
  return completionsAt(text.slice(0, at) + text.slice(at + 1), at);
};
const labels = (text: string): readonly string[] => complete(text)?.options.map(({ label }) => label) ?? [];
const has = (text: string, ...wanted: readonly string[]): void => {
  const found = labels(text);
  for (const one of wanted) assert.ok(found.includes(one), `${text}: ${one} not in ${found.slice(0, 40).join(' ')}`);
};

test('methods, paths, names of indices and parameters are completed in the first line', () => {
  assert.deepEqual(labels('G|').slice(0, 2), ['GET', 'POST']);
  has('GET _c|', '_cat/indices', '_cluster/health', '_search');
  has('GET /_cat/|', '/_cat/indices', '/_cat/nodes');
  has('GET logs/|', 'logs/_search', 'logs/_mapping');
  assert.deepEqual(complete('GET lo|')?.names, { kind: 'indices', index: null, form: 'path' });
  assert.equal(complete('GET _se|')?.names, undefined);
  has('GET logs/_search?s|', 'size', 'sort', 'pretty');
  has('GET logs/_search?size=1&f|', 'from', 'filter_path');
  assert.equal(complete('GET logs/_search?size=|'), null);
});

test('keys of a body are completed by where they are', () => {
  has('GET a/_search\n{ "|" }', '"query"', '"aggs"', '"size"');
  has('GET a/_search\n{ "query": { "ter|', '"term"', '"terms"', '"match"');
  has('GET a/_search\n{ "query": { "bool": { "must": [ { "ma|" } ] } } }', '"match"', '"match_all"');
  has('GET a/_search\n{\n  "query": {\n    "match": { "f": { "|" } } } }', '"query"', '"operator"');
  has('GET a/_search\n{ "aggs": { "x": { "|" } } }', '"terms"', '"avg"', '"aggs"');
  has('PUT a\n{ "mappings": { "properties": { "f": { "type": "keyword", "|" } } } }', '"ignore_above"', '"doc_values"');
  has('PUT a\n{ "mappings": { "properties": { "f": { "type": "|" } } } }', '"keyword"', '"date"');
  has('PUT _ingest/pipeline/p\n{ "processors": [ { "|" } ] }', '"set"', '"grok"');
  has('PUT _security/role/r\n{ "cluster": [ "|" ] }', '"monitor"');
  assert.ok(!labels('GET a/_search\n{ "size": 1, "|" }').includes('"size"'), 'keys that are there already');
});

test('fields and values come from the index of the request', () => {
  const fields = { kind: 'fields', index: 'logs-*', form: 'text' } as const;
  assert.deepEqual(complete('GET logs-*/_search\n{ "query": { "match": { "|" } } }')?.names, {
    ...fields,
    form: 'key',
  });
  assert.deepEqual(complete('GET logs-*/_search\n{ "aggs": { "x": { "terms": { "field": "|" } } } }')?.names, fields);
  assert.deepEqual(complete('GET logs-*/_search\n{ "query": { "exists": { "field": "le|"} } }')?.names, fields);
  assert.deepEqual(complete('GET logs-*/_search\n{ "query": { "term": { "level": "e|" } } }')?.valuesOf, {
    field: 'level',
    index: 'logs-*',
  });
});

test('a key brings its colon and the brackets of its value', () => {
  const inserts = (text: string): readonly string[] => complete(text)!.options.map(({ insert }) => insert);
  assert.ok(inserts('GET a/_search\n{ "|" }').includes('"query": {}'));
  assert.ok(inserts('GET a/_search\n{ "|" }').includes('"size": '));
  assert.ok(inserts('GET a/_search\n{ "que|": {} }').includes('"query"'));
});

test('no place of any text leads to an exception', () => {
  const piece = fc.constantFrom(
    'GET a/_search\n',
    '{',
    '}',
    '[',
    ']',
    '"query"',
    ':',
    '"',
    ',',
    '"term"',
    ' ',
    '\n',
    '?',
    '/',
  );
  fc.assert(
    fc.property(fc.array(fc.oneof(piece, fc.string()), { maxLength: 30 }), fc.nat(200), (pieces, at) => {
      const text = pieces.join('');
      const found = completionsAt(text, Math.min(at, text.length));
      assert.ok(found === null || found.from <= text.length);
    }),
    { numRuns: 2_000 },
  );
});
