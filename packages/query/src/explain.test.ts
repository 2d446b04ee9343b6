import assert from 'node:assert/strict';
import { test } from 'node:test';
import { explainPlan } from './explain.js';
import { parseContext } from './parse/parse-context.js';
import { parseQuery } from './parse/parse-query.js';
import { planQuery } from './plan-query.js';
import { type Explanation, NO_PREFIX } from './plans/explanation-tree.js';
import { memoryIndex } from './testing/memory-index.js';

const index = memoryIndex({
  mapping: {
    t: { type: 'text' },
    k: { type: 'keyword' },
    i: { type: 'integer' },
    b: { type: 'boolean' },
    date: { type: 'date' },
    geo: { type: 'geo_point' },
  },
  documents: [
    { t: 'quick brown fox', k: 'abc', i: 1, b: true, date: '2024-01-01', geo: '10,10' },
    { t: 'the lazy dog jumps', i: 2, b: false, date: '2024-02-01' },
    { t: 'a b c d e f g', k: 'zebra' },
  ],
});

/** Characters of each line that are compared. */
const TEXT_MAX = 110;

const lines = ({ value, description, details }: Explanation, indent = ''): string[] => [
  `${indent}${Number(value.toPrecision(5))} ${description}`.slice(0, TEXT_MAX),
  ...details.flatMap((detail) => lines(detail, `${indent}  `)),
];

/** Explanations of the first document, in the words of Elasticsearch 8.12.0. */
const TABLE: readonly (readonly [query: object, lines: readonly string[]])[] = [
  [{ fuzzy: { t: 'zebra' } }, ['0 empty BooleanQuery']],
  [{ match: { t: { query: 'zebra', fuzziness: 1 } } }, ['0 empty BooleanQuery']],
  [{ match_phrase_prefix: { t: 'zebra' } }, [`0 ${NO_PREFIX}`]],
  [
    { intervals: { t: { match: { query: 'quick fox', max_gaps: 1 } } } },
    [
      '0.33333 Saturation function on interval frequency, computed as w * S / (S + k) from:',
      '  1 w, weight of this function',
      '  1 k, pivot feature value that would give a score contribution equal to w/2',
      '  0.5 S, the sloppy frequency of the interval query t:MAXGAPS/1(UNORDERED(quick,fox))',
    ],
  ],
  [
    { distance_feature: { field: 'date', origin: '2024-02-01', pivot: '10d', boost: 2 } },
    [
      '0.47619 Distance score, computed as weight * pivotDistance / (pivotDistance + abs(value - origin)) from:',
      '  2 weight',
      '  864000000 pivotDistance',
      '  1706800000000 origin',
      '  1704100000000 current value',
    ],
  ],
  [
    { boosting: { positive: { match: { t: 'brown' } }, negative: { match: { t: 'nothing' } }, negative_boost: 0.3 } },
    [
      '1.1487 weight(FunctionScoreQuery(t:brown, scored by boost(queryboost(score(t:nothing))^0.3))), result of:',
      '  1.1487 weight(t:brown in 0) [PerFieldSimilarity], result of:',
      '    1.1487 score(freq=1.0), computed as boost * idf * tf from:',
      '      2.2 boost',
      '      0.98083 idf, computed as log(1 + (N - n + 0.5) / (n + 0.5)) from:',
      '        1 n, number of documents containing term',
      '        3 N, total number of documents with field',
      '      0.53232 tf, computed as freq / (freq + k1 * (1 - b + b * dl / avgdl)) from:',
      '        1 freq, occurrences of term within document',
      '        1.2 k1, term saturation parameter',
      '        0.75 b, length normalization parameter',
      '        3 dl, length of field',
      '        4.6667 avgdl, average length of field',
    ],
  ],
  [
    {
      function_score: {
        query: { term: { k: 'abc' } },
        functions: [
          { weight: 2, filter: { match: { t: 'fox' } } },
          { random_score: { seed: 7, field: 'i' } },
          { field_value_factor: { field: 'i', factor: 2, modifier: 'log1p' } },
          { gauss: { i: { origin: 5, scale: 3, decay: 0.3 } } },
        ],
        score_mode: 'sum',
        boost_mode: 'avg',
        max_boost: 5,
      },
    },
    [
      '1.9535 avg of',
      '  0.69315 weight(k:abc in 0) [PerFieldSimilarity], result of:',
      '    0.69315 score(freq=1.0), computed as boost * idf * tf from:',
      '      2.2 boost',
      '      0.69315 idf, computed as log(1 + (N - n + 0.5) / (n + 0.5)) from:',
      '        1 n, number of documents containing term',
      '        2 N, total number of documents with field',
      '      0.45455 tf, computed as freq / (freq + k1 * (1 - b + b * dl / avgdl)) from:',
      '        1 freq, occurrences of term within document',
      '        1.2 k1, term saturation parameter',
      '        0.75 b, length normalization parameter',
      '        1 dl, length of field',
      '        1 avgdl, average length of field',
      '  3.2139 min of:',
      '    3.2139 function score, score mode [sum]',
      '      2 function score, product of:',
      '        1 match filter: t:fox',
      '        2 product of:',
      '          1 constant score 1.0 - no function provided',
      '          2 weight',
      '      0.61919 random score function (seed: 7, field: i)',
      "      0.47712 field value function: log1p(doc['i'].value * factor=2.0)",
      '      0.11761 Function for field i:',
      '        0.11761 exp(-0.5*pow(MIN[Math.max(Math.abs(1.0(=doc value) - 5.0(=origin))) - 0.0(=offset), 0)],2.0)/3',
      '    5 maxBoost',
    ],
  ],
  [
    {
      function_score: {
        query: { match_all: {} },
        functions: [{ weight: 3, filter: { match: { t: 'nothing' } } }],
        boost_mode: 'replace',
      },
    },
    ['1 min of:', '  1 No function matched', '  3.4028e+38 maxBoost'],
  ],
  [
    {
      function_score: {
        query: { match_all: {} },
        functions: [{ linear: { geo: { origin: '10,10', scale: '10km', offset: '1km' } } }],
      },
    },
    [
      '1 function score, product of:',
      '  1 *:*',
      '  1 min of:',
      '    1 Function for field geo:',
      '      1 max(0.0, ((20000.0 - MIN of: [Math.max(arcDistance(9.999999990686774, 9.999999990686774(=doc value),10',
      '    3.4028e+38 maxBoost',
    ],
  ],
  [
    {
      span_near: {
        clauses: [
          { span_term: { t: 'quick' } },
          { span_or: { clauses: [{ span_term: { t: 'brown' } }, { span_multi: { match: { prefix: { t: 'fo' } } } }] } },
        ],
        slop: 2,
        in_order: false,
      },
    },
    [
      '1.7805 weight(spanNear([t:quick, spanOr([t:brown, t:fox])], 2, false) in 0) [PerFieldSimilarity], result of:',
      '  1.7805 score(freq=0.33333334), computed as boost * idf * tf from:',
      '    2.2 boost',
      '    2.9425 idf, sum of:',
      '      0.98083 idf, computed as log(1 + (N - n + 0.5) / (n + 0.5)) from:',
      '        1 n, number of documents containing term',
      '        3 N, total number of documents with field',
      '      0.98083 idf, computed as log(1 + (N - n + 0.5) / (n + 0.5)) from:',
      '        1 n, number of documents containing term',
      '        3 N, total number of documents with field',
      '      0.98083 idf, computed as log(1 + (N - n + 0.5) / (n + 0.5)) from:',
      '        1 n, number of documents containing term',
      '        3 N, total number of documents with field',
      '    0.27505 tf, computed as freq / (freq + k1 * (1 - b + b * dl / avgdl)) from:',
      '      0.33333 phraseFreq=0.33333334',
      '      1.2 k1, term saturation parameter',
      '      0.75 b, length normalization parameter',
      '      3 dl, length of field',
      '      4.6667 avgdl, average length of field',
    ],
  ],
  [
    { terms_set: { t: { terms: ['green'], minimum_should_match_field: 'i' } } },
    ['0 0 matches for 1 required matches', '  0 no matching term'],
  ],
  [{ range: { i: { gt: 6, lt: -2 } } }, ["0 i:[7 TO -3] doesn't match id 0"]],
  [{ range: { t: { gt: 'quick', lte: 'brown' } } }, ["0 t:{quick TO brown] doesn't match id 0"]],
  [
    { terms_set: { t: { terms: ['quick', 'brown'], minimum_should_match_field: 'i' } } },
    [
      '2.2973 2 matches for 1 required matches, sum of:',
      '  1.1487 weight(t:quick in 0) [PerFieldSimilarity], result of:',
      '    1.1487 score(freq=1.0), computed as boost * idf * tf from:',
      '      2.2 boost',
      '      0.98083 idf, computed as log(1 + (N - n + 0.5) / (n + 0.5)) from:',
      '        1 n, number of documents containing term',
      '        3 N, total number of documents with field',
      '      0.53232 tf, computed as freq / (freq + k1 * (1 - b + b * dl / avgdl)) from:',
      '        1 freq, occurrences of term within document',
      '        1.2 k1, term saturation parameter',
      '        0.75 b, length normalization parameter',
      '        3 dl, length of field',
      '        4.6667 avgdl, average length of field',
      '  1.1487 weight(t:brown in 0) [PerFieldSimilarity], result of:',
      '    1.1487 score(freq=1.0), computed as boost * idf * tf from:',
      '      2.2 boost',
      '      0.98083 idf, computed as log(1 + (N - n + 0.5) / (n + 0.5)) from:',
      '        1 n, number of documents containing term',
      '        3 N, total number of documents with field',
      '      0.53232 tf, computed as freq / (freq + k1 * (1 - b + b * dl / avgdl)) from:',
      '        1 freq, occurrences of term within document',
      '        1.2 k1, term saturation parameter',
      '        0.75 b, length normalization parameter',
      '        3 dl, length of field',
      '        4.6667 avgdl, average length of field',
    ],
  ],
  [{ bool: { filter: { term: { k: 'abc' } } } }, ['0 ConstantScore(k:abc)^0.0']],
  [
    { term: { b: true } },
    [
      '0.69315 weight(b:T in 0) [PerFieldSimilarity], result of:',
      '  0.69315 score(freq=1.0), computed as boost * idf * tf from:',
      '    2.2 boost',
      '    0.69315 idf, computed as log(1 + (N - n + 0.5) / (n + 0.5)) from:',
      '      1 n, number of documents containing term',
      '      2 N, total number of documents with field',
      '    0.45455 tf, computed as freq / (freq + k1 * (1 - b + b * dl / avgdl)) from:',
      '      1 freq, occurrences of term within document',
      '      1.2 k1, term saturation parameter',
      '      0.75 b, length normalization parameter',
      '      1 dl, length of field',
      '      1 avgdl, average length of field',
    ],
  ],
  [
    { bool: { must_not: [{ exists: { field: 'k' } }] } },
    [
      '0 Failure to meet condition(s) of required/prohibited clause(s)',
      '  0 match on prohibited clause (FieldExistsQuery [field=k])',
      '    1 FieldExistsQuery [field=k]',
      '  0 match on required clause, product of:',
      '    0 # clause',
      '    1 *:*',
    ],
  ],
  [
    {
      script_score: {
        query: { match_all: {} },
        script: "if (explanation != null) { explanation.set('from ' + _score) } return _score + 0.1",
      },
    },
    ['1.1 from 1.0', '  1 *:*'],
  ],
  [
    {
      script_score: {
        query: { match_all: {} },
        script: "if (explanation != null) { explanation.set('two') } return 2",
      },
    },
    ['2 two'],
  ],
  [{ ids: { values: ['1', '12', 'abc', 'a b'] } }, ['1 _id:([69 b7] [fe 12] [fe 1f] [ff 61 20 62])']],
];

test('a phrase of one word is explained as the words that begin with it', async () => {
  const searcher = await index.searcher([[0, 1, 2]]);
  const explained = (query: object): readonly string[] => {
    const place = { searcher, now: () => 0, nestedPath: null, innerHits: [] };
    return lines(explainPlan(planQuery(parseQuery(query, parseContext()), place), searcher, 0));
  };
  assert.deepEqual(explained({ match_phrase_prefix: { t: 'quic' } }), explained({ term: { t: 'quick' } }));
});

test('scores are explained as by 8.12', async () => {
  const searcher = await index.searcher([[0, 1, 2]]);
  for (const [query, expected] of TABLE) {
    const plan = planQuery(parseQuery(query, parseContext()), {
      searcher,
      now: () => 0,
      nestedPath: null,
      innerHits: [],
    });
    assert.deepEqual(lines(explainPlan(plan, searcher, 0)), expected, JSON.stringify(query));
  }
});

const nestedIndex = memoryIndex({
  mapping: {
    s: {
      type: 'nested',
      properties: { k: { type: 'keyword' }, u: { type: 'nested', properties: { z: { type: 'keyword' } } } },
    },
  },
  documents: [{ s: [{ k: 'a', u: [{ z: 'q' }] }, { k: 'b' }] }],
});

test('parents are explained by children of their path, and by the text of a query that gives no scores', async () => {
  const searcher = await nestedIndex.searcher([[0]]);
  const explained = (nested: object): readonly string[] => {
    const place = { searcher, now: () => 0, nestedPath: null, innerHits: [] };
    const plan = planQuery(parseQuery({ nested: { path: 's', ...nested } }, parseContext()), place);
    return lines(explainPlan(plan, searcher, searcher.maxDoc - 1));
  };
  const text = (count: number, mode: string): string =>
    `Score based on ${count} child docs in range from 0 to 2, using score mode ${mode}`;
  assert.deepEqual(explained({ query: { match_all: {} }, boost: 2 }), [
    `2 ${text(2, 'Avg')}`,
    '  2 ConstantScore(_nested_path:s)^2.0',
  ]);
  const none = (query: object, child: string, count = 1): void =>
    assert.deepEqual(explained({ query, score_mode: 'none' }), [`0 ${text(count, 'None')}`, `  0 ${child}`]);
  none({ term: { 's.k': { value: 'a', boost: 3 } } }, 'ConstantScore(s.k:a)^0.0');
  none({ match_all: {} }, 'ConstantScore(_nested_path:s)^0.0', 2);
  none({ prefix: { 's.k': 'a' } }, 'ConstantScore(#s.k:a* #_nested_path:s)^0.0');
});
