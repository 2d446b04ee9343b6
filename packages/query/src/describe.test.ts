import assert from 'node:assert/strict';
import test from 'node:test';
import { describePlan } from './describe.js';
import type { Plan } from './plan.js';
import { boolPlan } from './queries/bool.js';

const term = (value: string): Plan => ({ kind: 'term', field: 't', term: value, boost: 1 });

test('plans read as Lucene prints queries', () => {
  const either = boolPlan({ should: [term('quick'), term('fox')] });
  assert.equal(
    describePlan(boolPlan({ must: [either], mustNot: [term('dog')], filter: [term('cat')] })),
    '+(t:quick t:fox) -t:dog #t:cat',
  );
  assert.equal(
    describePlan({
      ...boolPlan({ should: [term('a'), term('b'), term('c')], minimumShouldMatch: 2 }),
      boost: 2,
    } as Plan),
    '((t:a t:b t:c)~2)^2.0',
  );
  assert.equal(
    describePlan({ kind: 'disMax', plans: [term('fox'), term('quick')], tieBreaker: Math.fround(0.3), boost: 1 }),
    '(t:fox | t:quick)~0.3',
  );
  const phrase = { kind: 'phrase', field: 't', slop: 2, boost: 1, prefixLast: false, maxExpansions: 50 } as const;
  assert.equal(
    describePlan({
      ...phrase,
      terms: [
        { terms: ['quick'], position: 0 },
        { terms: ['fox'], position: 1 },
      ],
    }),
    't:"quick fox"~2',
  );
  assert.equal(describePlan({ kind: 'none', reason: 'x' }), 'MatchNoDocsQuery("x")');
});
