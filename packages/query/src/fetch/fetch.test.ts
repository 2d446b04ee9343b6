import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkStoredFields, parseFetchSpec } from './fetch-spec.js';
import { hitBytes, type HitParts } from './hit-text.js';
import { namedPlans } from './matched-queries.js';
import { sortText } from './sort-text.js';

test('sort values print scores as floats, longs with all digits and missing ones as null', () => {
  assert.equal(
    sortText(
      [9223372036854775807n, Math.fround(0.1), null, 'a"b', Infinity, 1.5, 4, 4, 1e10],
      ['plain', 'score', 'plain', 'plain', 'double', 'double', 'double', 'plain', 'double'],
    ),
    '[9223372036854775807,0.1,null,"a\\"b","Infinity",1.5,4.0,4,1.0E10]',
  );
});

const PARTS: HitParts = {
  index: 'i',
  showsId: true,
  document: { id: 'ü"1', routing: 'k', source: new Uint8Array(0), seqNo: 11, primaryTerm: 1, version: 2 },
  withType: false,
  shard: null,
  nested: null,
  showsVersion: true,
  showsSeqNo: true,
  score: 1.5,
  showsRouting: true,
  ignored: ['ln'],
  fields: { a: [1] },
  ignoredValues: null,
  highlight: { s: ['<em>x</em>'] },
  sort: '[1]',
  matchedQueries: new Map([['nm', 1]]),
  showsQueryScores: false,
  explanation: null,
  innerHits: null,
};

test('a hit has the keys of Elasticsearch in their order, its source copied byte for byte', () => {
  const source = Buffer.from('{ "x" : "ü" }');
  assert.equal(
    Buffer.from(hitBytes(PARTS, source)).toString(),
    '{"_index":"i","_id":"ü\\"1","_version":2,"_seq_no":11,"_primary_term":1,"_score":1.5,"_routing":"k",' +
      '"_ignored":["ln"],"_source":{ "x" : "ü" },' +
      '"fields":{"a":[1]},"highlight":{"s":["<em>x</em>"]},"sort":[1],"matched_queries":["nm"]}',
  );
  assert.equal(
    Buffer.from(
      hitBytes(
        {
          ...PARTS,
          showsId: false,
          showsVersion: false,
          showsSeqNo: false,
          showsRouting: false,
          fields: {},
          highlight: null,
          sort: null,
          matchedQueries: null,
          ignored: null,
          score: null,
        },
        null,
      ),
    ).toString(),
    '{"_index":"i","_score":null}',
  );
});

test('stored fields hide the source unless it is one of them', () => {
  assert.equal(parseFetchSpec({}).source.isShown, true);
  assert.equal(parseFetchSpec({ stored_fields: ['k'] }).source.isShown, false);
  assert.equal(parseFetchSpec({ stored_fields: [] }).source.isShown, false);
  assert.equal(parseFetchSpec({ stored_fields: ['k', '_source'] }).source.isShown, true);
  assert.equal(parseFetchSpec({ stored_fields: 'k', _source: 'a' }).source.isShown, true);
});

test('fetch options of another shape are refused', () => {
  assert.throws(
    () => parseFetchSpec({ _source: 12 }),
    /Expected one of \[VALUE_BOOLEAN, VALUE_STRING, START_ARRAY, START_OBJECT\] but found \[VALUE_NUMBER\]/,
  );
  assert.throws(() => parseFetchSpec({ _source: { foo: 1 } }), /Unknown key for a VALUE_NUMBER in \[foo\]\./);
  const refused: [entry: unknown, reason: RegExp][] = [
    [null, /Expected START_OBJECT but was: END_ARRAY/],
    [['a'], /Expected START_OBJECT but was: VALUE_STRING/],
    [{ field: 5 }, /field doesn't support values of type: VALUE_NUMBER/],
    [{ field: 'a', format: 5 }, /format doesn't support values of type: VALUE_NUMBER/],
    [{ field: 'a', include_unmapped: 'x' }, /failed to parse field \[include_unmapped\]/],
    [{ feld: 'a' }, /unknown field \[feld\] did you mean \[field\]\?/],
  ];
  for (const [entry, reason] of refused) assert.throws(() => parseFetchSpec({ fields: [entry] }), reason);
  assert.throws(() => parseFetchSpec({ fields: [{ foo: 1 }] }), /\[fetch_field_and_format\] unknown field \[foo\]/);
  const without = { stored_fields: '_none_', fields: ['n'] };
  assert.throws(
    () => checkStoredFields(parseFetchSpec(without)),
    /cannot be disabled when using the \[fields\] option/,
  );
});

test(
  'named queries are listed in the order in which Elasticsearch ' + 'registers them, those of nested documents too',
  () => {
    const named = (name: string) => ({ kind: 'named', name, plan: { kind: 'all', boost: 1 } }) as const;
    const bool = {
      kind: 'bool',
      must: [named('m')],
      filter: [named('f')],
      should: [named('s')],
      mustNot: [],
      minimumShouldMatch: 0,
      boost: 1,
    } as const;
    const nested = {
      kind: 'nested',
      path: 'n',
      parentPath: null,
      plan: named('inner'),
      scoreMode: 'avg',
      boost: 1,
    } as const;
    assert.deepEqual(
      namedPlans({
        kind: 'named',
        name: 'outer',
        plan: { kind: 'disMax', plans: [bool, nested], tieBreaker: 0, boost: 1 },
      }).map(({ name }) => name),
      ['m', 's', 'f', 'inner', 'outer'],
    );
  },
);
