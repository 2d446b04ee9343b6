import assert from 'node:assert/strict';
import { test } from 'node:test';
import { applyTermVectors, draftsOf, type TermVectorsDraft } from './term-vectors-body.js';

const DRAFT: TermVectorsDraft = {
  index: 'i',
  id: null,
  doc: undefined,
  routing: null,
  preference: null,
  realtime: true,
  fields: null,
  positions: true,
  offsets: true,
  termStatistics: false,
  fieldStatistics: true,
  filter: null,
  analyzers: null,
};

/** Texts are those of Elasticsearch 8.12.0. */
test('a body for term vectors names fields in a list, and an id or a document', () => {
  const refused: readonly (readonly [body: object, reason: string])[] = [
    [{ fields: 't' }, 'failed to parse term vectors request. field [fields] must be an array'],
    [{ fields: { a: 1 } }, 'failed to parse term vectors request. field [fields] must be an array'],
    [
      { _id: '1', doc: {} },
      'failed to parse term vectors request. either [id] or [doc] can be specified, but not both!',
    ],
    [
      { doc: {}, _id: '1' },
      'failed to parse term vectors request. either [id] or [doc] can be specified, but not both!',
    ],
    [
      { per_field_analyzer: { t: 5 } },
      'expecting the analyzer at [t] to be a String, but found [class java.lang.Integer] instead',
    ],
    [{ unknown: 1 }, 'failed to parse term vectors request. unknown field [unknown]'],
  ];
  for (const [body, reason] of refused)
    assert.throws(() => applyTermVectors(DRAFT, body as Record<string, unknown>), { reason });
  assert.deepEqual(applyTermVectors(DRAFT, { fields: ['t', 5] }).fields, ['t', '5']);
});

test('several term vectors: documents by the parameters before them, then ids, each once', () => {
  const shown = (body: object, ids: readonly string[] | null = null) =>
    draftsOf(body as Record<string, unknown>, ids, DRAFT).map(({ id, offsets }) => [id, offsets]);
  const parameters = { offsets: false };
  assert.deepEqual(shown({ parameters, docs: [{ _id: '3' }] }), [['3', false]]);
  assert.deepEqual(shown({ docs: [{ _id: '3' }], ids: [5, '0', '5'], parameters }, ['7']), [
    ['3', true],
    ['0', false],
    ['5', false],
    ['7', false],
  ]);
});

test('several term vectors are refused by the kind of what is given', () => {
  const refused: readonly (readonly [body: object, reason: string])[] = [
    [{ ids: [{ a: 1 }] }, 'ids array element should only contain ids'],
    [{ ids: '0' }, '_mtermvectors: Parameter [ids] not supported'],
    [{ docs: { a: 1 } }, 'no parameter named [docs] and type OBJECT'],
    [{ docs: [5] }, 'docs array element should include an object'],
    [{ parameters: [] }, 'no parameter named [parameters] and type ARRAY'],
  ];
  for (const [body, reason] of refused)
    assert.throws(() => draftsOf(body as Record<string, unknown>, null, DRAFT), { reason });
});
