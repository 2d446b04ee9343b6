import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { filterInSteps, filterJson, parseFilterPath } from './filter-path.js';

const DOCUMENT = {
  _index: 'h',
  _id: '1',
  _version: 1,
  _seq_no: 0,
  _primary_term: 1,
  found: true,
  _source: { a: { b: 1, c: [] }, e: {}, l: [{ x: 1, y: {} }, { x: 2 }] },
};

function filtered(patterns: string, value: unknown = DOCUMENT): unknown {
  const filter = parseFilterPath(patterns);
  assert.ok(filter);
  return JSON.parse(filterJson(Buffer.from(JSON.stringify(value)), filter).toString('utf8'));
}

const { _source, ...rest } = DOCUMENT;

// What Elasticsearch 8.12 answers for the same document.
const cases: readonly [string, unknown][] = [
  ['a', {}],
  ['_source.a', { _source: { a: { b: 1, c: [] } } }],
  ['_source.l.x', { _source: { l: [{ x: 1 }, { x: 2 }] } }],
  ['-_source.a.b', { ...rest, _source: { ..._source, a: { c: [] } } }],
  ['-_source.l.x', { ...rest, _source: { ..._source, l: [{ y: {} }] } }],
  ['_source.*,-_source.a.*', { _source: { e: {}, l: _source.l } }],
  ['**.x', { _source: { l: [{ x: 1 }, { x: 2 }] } }],
  ['_source.l.y', { _source: { l: [{ y: {} }] } }],
  ['_source.e', { _source: { e: {} } }],
  ['-_source.a.*', { ...rest, _source: { e: {}, l: _source.l } }],
  ['-**.x', { ...rest, _source: { a: { b: 1 } } }],
  ['_source.a.b.c', {}],
  ['_source.l,-_source.l.x', { _source: { l: [{ y: {} }] } }],
];

for (const [patterns, expected] of cases) {
  test(`filter_path=${patterns} keeps what Elasticsearch keeps`, () => assert.deepEqual(filtered(patterns), expected));
}

test('stars match within a level, backslash keeps a dot', () => {
  assert.deepEqual(filtered('*.b*', { x: { bar: 1, foo: 2 }, y: { b: 3 } }), { x: { bar: 1 }, y: { b: 3 } });
  assert.deepEqual(filtered('a\\.b', { 'a.b': 1, a: { b: 2 } }), { 'a.b': 1 });
});

test('numbers and strings pass as they are written', () => {
  const text = '{"a": 1.0, "b" : 12345678901234567890, "c":"x\\"y}"}';
  const filter = parseFilterPath('b,c')!;
  assert.equal(filterJson(Buffer.from(text), filter).toString('utf8'), '{"b":12345678901234567890,"c":"x\\"y}"}');
});

test('a filter of every key keeps everything', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.stringMatching(/^[a-z]{1,4}$/), fc.jsonValue()), (value) => {
      fc.pre(!('__proto__' in value));
      assert.deepEqual(filtered('*', value), JSON.parse(JSON.stringify(value)));
    }),
  );
});

test('runs of stars say what one says', () => {
  assert.deepEqual(filtered('**.**.**.x'), filtered('**.x'));
  assert.deepEqual(filtered('_so***ce.l.x'), filtered('_so*ce.l.x'));
});

test('a filter has a bounded number of levels with wildcards', () => {
  assert.ok(parseFilterPath(Array.from({ length: 128 }, () => '**.a*').join(',')));
  assert.throws(() => parseFilterPath(Array.from({ length: 129 }, () => '**.a*').join(',')), {
    type: 'illegal_argument_exception',
    message: '[filter_path] has [258] levels with wildcards, which is more than the limit of [256]',
  });
});

test('patterns that match in very many ways take the time of their levels', () => {
  // 120 levels of an answer against 240 levels of a pattern: tried way by way, this would not end.
  let value: unknown = { last: 1 };
  for (let i = 0; i < 120; i++) value = { a: value, b: 0 };
  assert.deepEqual(filtered(`${'**.*.'.repeat(120)}x`, value), {});
});

test('large texts are filtered in steps of some kilobytes, whether values are kept, looked into or skipped', () => {
  const text = 'x'.repeat(100);
  const hits = Array.from({ length: 10_000 }, (_, i) => ({ _id: `${i}`, _source: { a: text, b: [1, [2, text]] } }));
  const bytes = Buffer.from(JSON.stringify({ took: 1, hits: { hits } }));
  const cases: readonly (readonly [string, unknown])[] = [
    ['took', { took: 1 }],
    ['hits', { hits: { hits } }],
    ['hits.hits._id', { hits: { hits: hits.map(({ _id }) => ({ _id })) } }],
    [
      '-hits.hits._source.a',
      { took: 1, hits: { hits: hits.map(({ _id, _source: { b } }) => ({ _id, _source: { b } })) } },
    ],
  ];
  for (const [pattern, expected] of cases) {
    const steps = filterInSteps(bytes, parseFilterPath(pattern)!);
    for (let count = 0; ; count++) {
      const { done, value } = steps.next();
      if (done !== true) continue;
      assert.deepEqual(JSON.parse(value.toString('utf8')), expected);
      assert.ok(count >= Math.floor(bytes.length / (80 * 1024)), `${count} steps for ${bytes.length} bytes`);
      break;
    }
  }
});
