import assert from 'node:assert/strict';
import { test } from 'node:test';
import { explainPlan } from '../explain.js';
import { parseContext } from '../parse/parse-context.js';
import { parseQuery } from '../parse/parse-query.js';
import { planQuery } from '../plan-query.js';
import { memoryIndex } from '../testing/memory-index.js';

test('explanations name the nearest date, of date_nanos in nanoseconds, and documents without one', async () => {
  const index = memoryIndex({
    mapping: { d: { type: 'date_nanos' } },
    documents: [{ d: ['2024-02-29T10:00:00.123456789Z', '2024-01-01'] }, {}],
  });
  const searcher = await index.searcher([[0, 1]]);
  const context = { searcher, now: () => 0, nestedPath: null, innerHits: [], allowExpensiveQueries: true };
  const query = { distance_feature: { field: 'd', origin: '2024-02-29T10:00:00.123456700Z', pivot: '100nanos' } };
  const plan = planQuery(parseQuery(query, parseContext()), context);
  assert.deepEqual(
    explainPlan(plan, searcher, 0).details.map(({ value }) => value),
    [1, 100, ...[1709200800123456700n, 1709200800123456789n].map(Number)],
  );
  assert.equal(explainPlan(plan, searcher, 1).description, "Document 1 doesn't have a value for field d");
});
