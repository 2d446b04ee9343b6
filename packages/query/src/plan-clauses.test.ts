import assert from 'node:assert/strict';
import test from 'node:test';
import type { Plan } from './plan.js';
import { checkClauses, isSlowPerDocument } from './plan-clauses.js';
import { boolPlan } from './queries/bool.js';
import { searchFixture } from './testing/search-fixture.js';

const term: Plan = { kind: 'term', field: 't', term: 'a', boost: 1 };
const tooMany = { type: 'too_many_nested_clauses', status: 400 };

test('clauses are counted over all levels of a plan, a list of terms as one', () => {
  const ten = boolPlan({ should: new Array<Plan>(10).fill(term) });
  const hundred = boolPlan({ should: new Array<Plan>(10).fill(ten) });
  checkClauses(hundred, 100);
  assert.throws(() => checkClauses(hundred, 99), tooMany);
  checkClauses({ kind: 'terms', field: 't', terms: new Array<string>(1000).fill('a'), boost: 1 }, 1);
  const near = {
    kind: 'near',
    slop: 1,
    inOrder: true,
    clauses: [
      { kind: 'term', term: 'a' },
      { kind: 'term', term: 'b' },
    ],
  };
  assert.throws(() => checkClauses({ kind: 'span', field: 't', tree: near as never, boost: 1 }, 1), tooMany);
});

test('plans that compare positions, and those of hundreds of plans, are slow for a document', () => {
  assert.equal(isSlowPerDocument(boolPlan({ should: [term, term] })), false);
  assert.equal(
    isSlowPerDocument({ kind: 'nested', path: 'o', parentPath: null, scoreMode: 'none', boost: 1, plan: term }),
    false,
  );
  const phrase: Plan = {
    kind: 'phrase',
    field: 't',
    terms: [],
    slop: 0,
    boost: 1,
    prefixLast: false,
    maxExpansions: 1,
  };
  assert.equal(isSlowPerDocument(boolPlan({ must: [term], filter: [phrase] })), true);
  assert.equal(isSlowPerDocument(boolPlan({ should: new Array<Plan>(600).fill(term) })), true);
});

const index = await searchFixture({ mapping: { t: { type: 'text' } }, documents: [{ t: 'a' }] });
const clauses = (count: number, clause: object): object => ({
  bool: { should: new Array<object>(count).fill(clause) },
});

test('queries of many clauses are refused however they are nested', () =>
  index.refuses([
    [
      clauses(200, clauses(100, { match: { t: 'a' } })),
      'too_many_nested_clauses: Query contains too many nested clauses; maxClauseCount is set to 16384',
    ],
    [
      { dis_max: { queries: new Array<object>(70_000).fill({ match: { t: 'a' } }) } },
      'too_many_nested_clauses: Query contains too many nested clauses; maxClauseCount is set to 32768',
    ],
    [
      { match: { t: 'a '.repeat(1_000_000) } },
      'query_shard_exception: failed to create query: maxClauseCount is set to 16384 <- ' +
        'too_many_clauses: maxClauseCount is set to 16384',
    ],
  ]));
