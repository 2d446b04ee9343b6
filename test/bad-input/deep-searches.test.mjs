// Searches nested as deep as JSON allows and deeper: answered or refused, never an error of the node.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { call, startNode } from '../node-process.mjs';

let node;
before(async () => {
  node = await startNode();
  const properties = {
    t: { type: 'text' },
    k: { type: 'keyword' },
    o: { type: 'nested', properties: { x: { type: 'integer' } } },
  };
  await call(node, 'PUT', '/deep', { mappings: { properties } });
  await call(node, 'PUT', '/deep/_doc/1?refresh=true', { t: 'a b c', k: 'x', o: [{ x: 1 }] });
});
after(() => node?.stop());

const deep = (levels, open, inner, close) => open.repeat(levels) + inner + close.repeat(levels);
const query = (text) => `{"query":${text}}`;
const path = (levels, part, joint = '.') => new Array(levels).fill(part).join(joint);
const A = '{"match":{"query":"a"}}';
const ALL = '{"match_all":{}}';

/** Bodies by the number of their levels. */
const BODIES = {
  'intervals any_of': (n) => query(`{"intervals":{"t":${deep(n, '{"any_of":{"intervals":[', A, ']}}')}}}`),
  'intervals all_of': (n) => query(`{"intervals":{"t":${deep(n, `{"all_of":{"intervals":[${A},`, A, ']}}')}}}`),
  'intervals filters': (n) =>
    query(`{"intervals":{"t":${deep(n, '{"match":{"query":"a","filter":{"not_overlapping":', A, '}}}')}}}`),
  spans: (n) => query(deep(n, '{"span_or":{"clauses":[', '{"span_term":{"t":"a"}}', ']}}')),
  'nested sorts': (n) => `{"sort":[{"o.x":{"nested":${deep(n, '{"path":"o","nested":', '{"path":"o"}', '}')}}}]}`,
  aggregations: (n) =>
    `{"aggs":${deep(n, '{"a":{"terms":{"field":"k"},"aggs":', '{"b":{"max":{"field":"o.x"}}}', '}}')}}`,
  'sources by path': (n) => JSON.stringify({ _source: [path(n, 'a'), path(n, '*')] }),
  'fields by path': (n) => JSON.stringify({ fields: [path(n, 'a'), path(n, '*')] }),
  'buckets by path': (n) =>
    JSON.stringify({
      aggs: { a: { terms: { field: 'k' }, aggs: { c: { cumulative_sum: { buckets_path: path(n, 'a', '>') } } } } },
    }),
  'queries of highlights': (n) =>
    `{"highlight":{"fields":{"t":{"highlight_query":${deep(n, '{"bool":{"must":', ALL, '}}')}}}}}`,
  'inner hits': (n) => query(deep(n, '{"nested":{"path":"o","inner_hits":{},"query":', ALL, '}}')),
  'regular expressions': (n) => query(`{"regexp":{"k":"${deep(Math.min(n, 450), '(', 'a', ')')}"}}`),
  'query strings': (n) => JSON.stringify({ query: { query_string: { query: deep(n, '(NOT ', 'a', ' OR b)') } } }),
  'simple query strings': (n) =>
    JSON.stringify({ query: { simple_query_string: { query: deep(n, '(a -', 'b', ')') } } }),
  'filters of functions': (n) => query(deep(n, '{"function_score":{"functions":[{"weight":1,"filter":', ALL, '}]}}')),
  'queries of rescore': (n) =>
    `{"rescore":{"query":{"rescore_query":${deep(n, '{"dis_max":{"queries":[', ALL, ']}}')}}}}`,
};

for (const [name, body] of Object.entries(BODIES)) {
  test(`${name} a thousand deep`, async () => {
    for (const levels of [20, 200, 900, 5000]) {
      const answer = await call(node, 'POST', '/deep/_search', body(levels));
      const shown = JSON.stringify(answer.body).slice(0, 300);
      assert.ok([200, 400].includes(answer.status), `${levels}: ${answer.status} ${shown}`);
      assert.doesNotMatch(shown, /call stack/);
    }
  });
}

test('names of 100,000 levels are refused, in documents and mappings, and 60,000 synonyms are taken', async () => {
  const name = `a${'.a'.repeat(100_000)}`;
  const document = await call(node, 'POST', '/levels/_doc', { [name]: 1 });
  assert.equal(document.status, 400);
  assert.match(JSON.stringify(document.body.error), /Limit of mapping depth \[20\] has been exceeded/);
  const mapping = await call(node, 'PUT', '/levels-2', { mappings: { properties: { [name]: { type: 'keyword' } } } });
  assert.equal(mapping.status, 400);
  assert.match(JSON.stringify(mapping.body.error), /Limit of mapping depth \[1000\] has been exceeded/);
  const synonyms = Array.from({ length: 60_000 }, (_, i) => `a${i}, b${i} => d${i}`);
  const analysis = {
    filter: { s: { type: 'synonym', synonyms } },
    analyzer: { x: { tokenizer: 'standard', filter: ['s'] } },
  };
  assert.equal((await call(node, 'PUT', '/levels-3', { settings: { analysis } })).status, 200);
});
