import assert from 'node:assert/strict';
import { test } from 'node:test';
import { searchFixture } from '../testing/search-fixture.js';

/** Answers, plan texts and errors are those of Elasticsearch 8.12.0. */
const index = await searchFixture({
  mapping: { t: { type: 'text' }, u: { type: 'text' }, k: { type: 'keyword' }, n: { type: 'long' } },
  documents: [
    { t: 'the quick brown fox', u: 'fox', k: 'x', n: 1 },
    { t: 'quick fox brown', u: 'quick dog', n: 2 },
    { t: 'brown dog and quick foxes', k: 'quick', n: 3 },
    { t: ['quick', 'brown fox'], u: 'brown', n: 4 },
    { t: 'c++ (beta)', k: 'A B', n: -5 },
  ],
});

test('query_string reads terms, phrases, fields and operators', () =>
  index.answers([
    [
      { query_string: { query: 'quick dog', default_field: 't' } },
      { ids: ['3', '2', '4', '1'], scores: [1.40374, 0.302228, 0.302228, 0.268312], plan: 't:quick t:dog' },
    ],
    [
      { query_string: { query: 't:"quick brown" OR u:dog' } },
      { ids: ['2', '1'], scores: [0.814273, 0.536624], plan: 't:"quick brown" u:dog' },
    ],
    [
      { query_string: { query: '+t:fox +u:(brown fox)^2' } },
      { ids: ['4', '1'], scores: [2.75139, 2.68784], plan: '+t:fox +(u:brown u:fox)^2.0' },
    ],
  ]));

test('query_string reads patterns, ranges and existence', () =>
  index.finds([
    [{ query_string: { query: 't:qui*' } }, ['1', '2', '3', '4']],
    [{ query_string: { query: 't:/fox(es)?/' } }, ['1', '2', '3', '4']],
    [{ query_string: { query: 't:quikc~1' } }, ['1', '2', '3', '4']],
    [{ query_string: { query: 't:"quick fox"~1' } }, ['1', '2']],
    [{ query_string: { query: 'n:[2 TO 3]' } }, ['2', '3']],
    [{ query_string: { query: 'n:>2' } }, ['3', '4']],
    [{ query_string: { query: 'n:{1 TO 3}' } }, ['2']],
    [{ query_string: { query: '_exists_:k' } }, ['1', '3', '5']],
    [{ query_string: { query: '*:*' } }, ['1', '2', '3', '4', '5']],
    [{ query_string: { query: 'k:"A B"' } }, ['5']],
    [{ query_string: { query: 't:QUI*' } }, ['1', '2', '3', '4']],
    [{ query_string: { query: '' } }, []],
  ]));

test('query_string joins terms by default_operator and minimum_should_match', () =>
  index.finds([
    [{ query_string: { query: 'quick dog', fields: ['t'], default_operator: 'AND' } }, ['3']],
    [{ query_string: { query: 'quick fox dog', fields: ['t', 'u'], minimum_should_match: 2 } }, ['1', '2', '3', '4']],
    [{ query_string: { query: 'NOT quick', fields: ['t'] } }, ['5']],
    [{ query_string: { query: 'quick AND NOT fox', fields: ['t^2', 'u'] } }, ['3']],
  ]));

test('query_string reads AND, OR and signs in one text by default_operator as the classic parser does', () => {
  const cases: [query: string, operator: string, plan: string][] = [
    ['k:(c OR b) OR quick && fox OR +dog', 'AND', '+t:quick (k:c k:b) t:fox t:dog'],
    ['k:(c OR b) OR quick && fox OR +dog', 'OR', '+t:quick +t:fox +t:dog (k:c k:b)'],
    ['quick OR +dog AND fox', 'AND', '+t:dog +t:fox t:quick'],
    ['(quick OR +dog) fox', 'AND', '+(t:quick t:dog) +t:fox'],
    ['(quick AND fox) OR +(dog OR +brown)', 'AND', '(+t:quick +t:fox) (t:dog t:brown)'],
    ['-quick OR +dog', 'AND', '-t:quick t:dog'],
  ];
  for (const [query, operator, plan] of cases) {
    const result = index.search({ query_string: { query, fields: ['t'], default_operator: operator } });
    assert.equal(result.plan, plan, `${query} by ${operator}`);
  }
});

test('query_string refuses what it cannot read', () =>
  index.refuses([
    [{ query_string: {} }, 'parsing_exception: [query_string] must be provided with a [query]'],
    [
      { query_string: { query: 'x', fields: ['n'] } },
      'query_shard_exception: failed to create query: For input string: "x" <- number_format_exception: ' +
        'For input string: "x"',
    ],
    [
      { query_string: { query: 'a', analyzer: 'none' } },
      'query_shard_exception: [query_string] analyzer [none] not found',
    ],
    [{ query_string: { query: 'a', slop: 1 } }, 'parsing_exception: [query_string] query does not support [slop]'],
    [
      { query_string: { query: 'a', default_operator: 'xor' } },
      'illegal_argument_exception: No enum constant org.elasticsearch.index.query.Operator.XOR',
    ],
  ]));

test('query_string leaves out fields whose type does not take the text when it is lenient', () =>
  index.finds([
    [{ query_string: { query: 'n:x', lenient: true } }, []],
    [{ query_string: { query: 'quick' } }, ['1', '2', '3', '4']],
  ]));

test('a star alone finds documents with any of the fields', async () => {
  const some = await searchFixture({
    mapping: { t: { type: 'text' }, i: { type: 'integer' } },
    documents: [{ t: 'a' }, { i: 1 }, {}],
  });
  some.finds([[{ query_string: { query: '*', fields: ['t', 'i'] } }, ['1', '2']]]);
});
