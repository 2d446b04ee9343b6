import assert from 'node:assert/strict';
import { test } from 'node:test';
import { tokenOf } from '@shoal/json';
import { describeQuery } from '../../describe.js';
import { createWeight } from '../../execute/weight.js';
import { memoryIndex } from '../../testing/memory-index.js';
import { searchOf, sectionTable } from '../../testing/section-table.js';
import { planQuery } from '../../plan-query.js';

const knn = { field: 'v', query_vector: [1, 2], k: 2, num_candidates: 5 };
const cannotBuild = (reason: string): string =>
  'x_content_parse_exception: Failed to build [knn] after last required field arrived <- ' +
  `illegal_argument_exception: ${reason}`;

test('one clause or several, with 8.12’s errors', () => {
  assert.deepEqual(
    searchOf({ knn: [knn, { ...knn, boost: 2, similarity: 0.5 }] }).knn.map(({ k, candidates, boost, similarity }) => [
      k,
      candidates,
      boost,
      similarity,
    ]),
    [
      [2, 5, 1, null],
      [2, 5, 2, 0.5],
    ],
  );
  assert.equal(searchOf({ knn }).gathersMore, true);
  sectionTable(
    'knn',
    [
      [{}, []],
      [{ knn: [] }, []],
    ],
    [
      [{ knn: {} }, 'illegal_argument_exception: Required [field, k, num_candidates]'],
      [{ knn: { ...knn, k: 0 } }, cannotBuild('[k] must be greater than 0')],
      [{ knn: { ...knn, k: null } }, "x_content_parse_exception: [knn] k doesn't support values of type: VALUE_NULL"],
      [{ knn: { ...knn, k: 6 } }, cannotBuild('[num_candidates] cannot be less than [k]')],
      [{ knn: { ...knn, num_candidates: 10_001 } }, cannotBuild('[num_candidates] cannot exceed [10000]')],
      [
        { knn: { field: 'v', k: 2, num_candidates: 5 } },
        cannotBuild('either [query_vector_builder] or [query_vector] must be provided'),
      ],
      [{ knn: { ...knn, _name: 'x' } }, 'x_content_parse_exception: [knn] unknown field [_name]'],
      [{ knn: { ...knn, other: 1 } }, 'x_content_parse_exception: [knn] unknown field [other]'],
      [
        { knn: [1] },
        'x_content_parse_exception: malformed knn format, within the knn search array only objects are allowed; ' +
          'found VALUE_NUMBER',
      ],
      [
        { knn: { ...knn, query_vector_builder: { text_embedding: {} } } },
        'illegal_argument_exception: [query_vector_builder] is not supported: no model can run that makes vectors of ' +
          'texts',
      ],
      [
        { knn: { ...knn, filter: { xx: {} } } },
        'x_content_parse_exception: [knn] failed to parse field [filter] <- parsing_exception: unknown query [xx] <- ' +
          'named_object_not_found_exception: unknown field [xx]',
      ],
      [
        { knn: Array.from({ length: 1025 }, () => null) },
        'illegal_argument_exception: [knn] has [1025] clauses, more than [1024]',
      ],
      [{ knn: 5 }, 'parsing_exception: Unknown key for a VALUE_NUMBER in [knn].'],
    ],
  );
});

test('the query of a body and its clauses are alternatives; each shard keeps what it is told to', async () => {
  const index = memoryIndex({
    mapping: { v: { type: 'dense_vector', dims: 2 }, k: { type: 'keyword' } },
    documents: [{ v: [1, 2], k: 'a' }],
  });
  const searcher = await index.searcher([[0]]);
  const planOf = (body: Record<string, unknown>, nearestKept?: number[]): string => {
    const context = { searcher, now: () => 0, nestedPath: null, innerHits: [] };
    const plan = planQuery(searchOf(body).query!, nearestKept ? { ...context, nearestKept } : context);
    return describeQuery(plan, index.mapping);
  };
  const nearest = 'ProfilingKnnFloatVectorQuery:v[0.4472136,...][5]';
  assert.equal(planOf({ knn }), nearest);
  assert.equal(planOf({ knn: [knn, knn], query: { term: { k: 'a' } } }), `k:a ${nearest} ${nearest}`);
  assert.equal(planOf({ knn }, [0]), 'MatchNoDocsQuery("nearer documents are on other shards")');
});

test('with a boost of 0 all candidates are equal, and the first of them are taken', async () => {
  const index = memoryIndex({
    mapping: { v: { type: 'dense_vector', dims: 1, similarity: 'l2_norm' } },
    documents: [9, 5, 1, 3, 2].map((v) => ({ v: [v] })),
  });
  const searcher = await index.searcher([[0, 1, 2, 3, 4]]);
  const found = (boost: number, candidates: number): number[] => {
    const clause = { field: 'v', query_vector: [0], k: 2, num_candidates: candidates, boost };
    const context = { searcher, now: () => 0, nestedPath: null, innerHits: [] };
    const matcher = createWeight(planQuery(searchOf({ knn: clause }).query!, context), searcher, {
      needsScores: true,
    }).matcher(searcher.segments[0]!, true)!;
    const docs = new Int32Array(5);
    return [...docs.subarray(0, matcher.window(0, 5, docs, null))];
  };
  assert.deepEqual(found(1, 5), [2, 4]);
  assert.deepEqual(found(0, 5), [0, 1]);
  assert.deepEqual(found(0, 4), [1, 2]);
  assert.deepEqual(found(0, 2), [2, 4]);
});

test('a wanted recall, or all vectors, stands for the candidates, and is bounded', () => {
  const { num_candidates: _, ...bare } = knn;
  const parsed = searchOf({ knn: [knn, { ...bare, recall: 0.95 }, { ...bare, exact: true }] }).knn;
  assert.deepEqual(
    parsed.map(({ candidates, recall, exact }) => [candidates, recall, exact]),
    [
      [5, null, false],
      [2, 0.95, false],
      [2, null, true],
    ],
  );
  const refused = 'x_content_parse_exception: [knn] failed to parse field [recall] <- illegal_argument_exception: ';
  const failed = 'x_content_parse_exception: [knn] failed to parse field [exact] <- illegal_argument_exception:';
  const unsupported = (key: string, value: unknown): string =>
    `x_content_parse_exception: [knn] ${key} doesn't support values of type: ${tokenOf(value)}`;
  sectionTable(
    'knn',
    [],
    [
      [{ knn: { ...bare, recall: 1.5 } }, `${refused}[recall] must be greater than 0 and less than 1, got [1.5]`],
      [{ knn: { ...bare, recall: 0.9, exact: true } }, cannotBuild('[recall] cannot be combined with [exact]')],
      ...[null, true, [0.9], {}].map(
        (recall) => [{ knn: { ...bare, recall } }, unsupported('recall', recall)] as const,
      ),
      ...[null, 1, [true], {}].map((exact) => [{ knn: { ...bare, exact } }, unsupported('exact', exact)] as const),
      [
        { knn: { ...bare, exact: 'yes' } },
        `${failed} Failed to parse value [yes] as only [true] or [false] are allowed.`,
      ],
      [{ knn: { ...bare, exact: false } }, 'illegal_argument_exception: Required [num_candidates]'],
      [{ knn: { ...bare, k: 10_001, exact: true } }, cannotBuild('[num_candidates] cannot exceed [10000]')],
    ],
  );
});
