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
  ],
});

test('simple_query_string reads its operators', () =>
  index.answers([
    [
      { simple_query_string: { query: 'quick + -dog', fields: ['t'] } },
      { ids: ['2', '4', '1'], scores: [1.11475, 1.11475, 1.10256], plan: '+t:quick +(-t:dog *:*)' },
    ],
    [
      { simple_query_string: { query: '"quick brown" | foxes', fields: ['t'] } },
      { ids: ['3', '1'], scores: [1.0595, 0.205127], plan: 't:"quick brown" t:foxes' },
    ],
  ]));

test('simple_query_string finds prefixes, close words and phrases', () =>
  index.finds([
    [{ simple_query_string: { query: 'fo*', fields: ['t'] } }, ['1', '2', '3', '4']],
    [{ simple_query_string: { query: 'quikc~1', fields: ['t'] } }, ['1', '2', '3', '4']],
    [{ simple_query_string: { query: '"quick fox"~1', fields: ['t'] } }, ['1', '2']],
    [{ simple_query_string: { query: 'quick fox', fields: ['t'], default_operator: 'and' } }, ['1', '2', '4']],
    [
      { simple_query_string: { query: 'quick fox dog', fields: ['t', 'u^2'], minimum_should_match: 2 } },
      ['1', '2', '3', '4'],
    ],
    [{ simple_query_string: { query: 'quick +(dog fox)', fields: ['t'] } }, ['1', '2', '3', '4']],
  ]));

test('simple_query_string reads a tilde up to the end of its token, which the flags decide', () => {
  const cases: [query: string, flags: string, plan: string][] = [
    ['quick) fox "brown dog"~2 "foxes', 'FUZZY|SLOP', 't:quick t:fox t:brown t:dog'],
    ['quick~ fox', 'FUZZY|SLOP', 't:quick'],
    ['quick~2x fox', 'ALL', 't:quick t:fox'],
    ['quick~-1 fox', 'ALL', 't:quick t:fox'],
    ['quick~99999999999 fox', 'ALL', 't:quick t:fox'],
    ['quick~1-fox', 'ALL', 't:quick'],
    ['quick~*', 'ALL', 't:quick'],
    ['quick*~1', 'ALL', 't:quick*~1'],
    ['"quick fox"~ dog', 'ALL', 't:"quick fox"~2 t:dog'],
    ['"quick fox"~', 'ALL', 't:"quick fox"'],
    ['"quick fox"~2x dog', 'ALL', 't:"quick fox" t:dog'],
    ['"quick fox"~2"brown dog"', 'ALL', 't:"quick fox"~2 t:brown t:dog'],
    ['"quick fox"~2+dog', 'ALL', 't:"quick fox"~2 t:dog'],
    ['quick + "" fox', 'ALL', 't:quick t:fox'],
    ['quick + () fox', 'ALL', 't:quick t:fox'],
  ];
  for (const [query, flags, plan] of cases) {
    const result = index.search({ simple_query_string: { query, flags, fields: ['t'] } });
    assert.equal(result.plan, plan, `${query} with ${flags}`);
  }
});

test('simple_query_string compares a close word as it is written, in fields whose terms are words', async () => {
  const own = await searchFixture({
    mapping: { t: { type: 'text' }, c: { type: 'completion' }, n: { type: 'long' } },
    documents: [{ t: 'quick fox', c: 'fox' }, { c: 'fox' }, { t: 'Foxy', n: 3 }],
  });
  await own.finds([
    [{ simple_query_string: { query: 'FOX~1' } }, ['1', '3']],
    [{ simple_query_string: { query: 'quick-fox~1', fields: ['t'] } }, []],
  ]);
  await own.answers([[{ match: { c: 'fox' } }, { ids: ['1', '2'], scores: [0.182322, 0.182322] }]]);
  const reason = 'Can only use fuzzy queries on keyword and text fields - not on [c] which is of type [completion]';
  const error = `query_shard_exception: failed to create query: ${reason} <- illegal_argument_exception: ${reason}`;
  await own.refuses([
    [{ simple_query_string: { query: 'fox~1', fields: ['c'] } }, error],
    [{ match: { c: { query: 'fox', fuzziness: 1 } } }, error],
  ]);
});

test('simple_query_string takes operators for text when flags leave them out, and never fails on syntax', () =>
  index.finds([
    [{ simple_query_string: { query: 'fo*', fields: ['t'], flags: 'NONE' } }, []],
    [{ simple_query_string: { query: 'quick (fox "', fields: ['t'] } }, ['1', '2', '3', '4']],
    [{ simple_query_string: { query: '', fields: ['t'] } }, []],
    [{ simple_query_string: { query: 'quick', fields: ['nowhere'] } }, []],
    [{ simple_query_string: { query: 'quick' } }, ['1', '2', '3', '4']],
  ]));

test('simple_query_string without fields matches what its operators alone match', () =>
  index.finds([
    [{ simple_query_string: { query: '-quick', fields: ['nowhere'] } }, ['1', '2', '3', '4']],
    [{ simple_query_string: { query: '-quick fox', fields: ['nowhere'] } }, ['1', '2', '3', '4']],
    [{ simple_query_string: { query: 'fox -quick', fields: ['nowhere'], default_operator: 'and' } }, []],
    [{ simple_query_string: { query: '*', fields: ['nowhere'] } }, ['1', '2', '3', '4']],
  ]));

test('a minimum of optional clauses that there are not is never reached', () =>
  index.finds([
    [{ simple_query_string: { query: 'quick + fox', fields: ['t'], minimum_should_match: '1' } }, []],
    [{ simple_query_string: { query: 'quick + fox', fields: ['t'], minimum_should_match: '50%' } }, ['1', '2', '4']],
    [{ query_string: { query: 't:quick AND t:fox', minimum_should_match: '1' } }, []],
  ]));

test('simple_query_string refuses unknown options', () =>
  index.refuses([
    [{ simple_query_string: {} }, 'parsing_exception: [simple_query_string] query text missing'],
    [
      { simple_query_string: { query: 'a', flags: 'MANY' } },
      'illegal_argument_exception: Unknown simple_query_string flag [MANY]',
    ],
    [
      { simple_query_string: { query: 'a', default_operator: 'xor' } },
      'illegal_argument_exception: No enum constant org.elasticsearch.index.query.Operator.XOR',
    ],
    [
      { simple_query_string: { query: 'a', fuzziness: 1 } },
      'parsing_exception: [simple_query_string] unsupported field [fuzziness]',
    ],
    [
      { simple_query_string: { query: 'a', analyzer: 'none' } },
      'query_shard_exception: [simple_query_string] analyzer [none] not found',
    ],
  ]));

test('simple_query_string of thousands of operators and parentheses is read once', () =>
  index.finds(
    ['(', '-', '+', '| ', '"" ', '\\(', ') ('].map((part) => [
      { simple_query_string: { query: `${part.repeat(50_000)} fox`, fields: ['nowhere'] } },
      [],
    ]),
  ));

test('simple_query_string of more clauses than allowed is refused, fields counted', () =>
  index.refuses([
    [
      { simple_query_string: { query: 'fox '.repeat(20_000), fields: ['t'] } },
      'query_shard_exception: failed to create query: maxClauseCount is set to 16384 <- ' +
        'too_many_clauses: maxClauseCount is set to 16384',
    ],
  ]));

test('simple_query_string finds the ends of parentheses at any depth, and beside such without an end', () =>
  index.finds(
    [
      ['((dog) | ((fox) + (brown)))', ['1', '2', '3', '4']],
      ['(dog | (fox + (brown + -quick)))', ['3']],
      ['(((dog) (', ['3']],
      ['((dog) + \\( (quick)', ['3']],
      ['(dog)) + (quick)', ['3']],
      ['((fox + -the)', ['2', '4']],
      // The distance ends at the parenthesis, which is escaped for the pass that looks for ends.
      ['dog~\\(dog)', ['3']],
    ].map(([query, found]) => [{ simple_query_string: { query, fields: ['t'] } }, found as string[]]),
  ));

/** Processor time of a search that finds nothing, in milliseconds. */
async function processorMs(query: string): Promise<number> {
  const before = process.cpuUsage();
  await index.finds([[{ simple_query_string: { query, fields: ['nowhere'] } }, []]]);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

test('a long simple_query_string in two hundred parentheses is read once, not once for each', async () => {
  const text = 'fox'.padEnd(250_000);
  await processorMs(text);
  const flatMs = Math.max(10, await processorMs(text));
  const deepMs = await processorMs(`${'('.repeat(199)}${text}${')'.repeat(199)}`);
  assert.ok(deepMs < flatMs * 15, `${deepMs} ms in parentheses, ${flatMs} ms without`);
});
