// Token filters with scripts over HTTP: tokens and errors of OpenSearch 2.19.0.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { call, startNode } from '../node-process.mjs';

let node;
before(async () => {
  node = await startNode();
});
after(() => node?.stop());

test('analyzers of an index choose tokens by scripts, for documents and for queries', async () => {
  const filter = {
    long: { type: 'predicate_token_filter', script: { source: 'token.term.length() > 3' } },
    loud: { type: 'condition', filter: ['uppercase'], script: { source: 'token.position == 1' } },
  };
  const analyzer = { a: { tokenizer: 'standard', filter: ['long', 'loud'] } };
  const created = await call(node, 'PUT', '/i', {
    settings: { analysis: { filter, analyzer } },
    mappings: { properties: { t: { type: 'text', analyzer: 'a' } } },
  });
  assert.equal(created.status, 200);
  const { body } = await call(node, 'POST', '/i/_analyze', { field: 't', text: 'the quick fox jumps' });
  assert.deepEqual(
    body.tokens.map(({ token, position }) => [token, position]),
    [
      ['QUICK', 1],
      ['jumps', 3],
    ],
  );
  await call(node, 'PUT', '/i/_doc/1?refresh', { t: 'the quick fox jumps' });
  const found = async (query) => (await call(node, 'POST', '/i/_search', { query })).body.hits.total.value;
  assert.equal(await found({ term: { t: 'QUICK' } }), 1);
  assert.equal(await found({ term: { t: 'fox' } }), 0);
  assert.equal(await found({ match_phrase: { t: 'the quick fox jumps' } }), 1);
});

test('scripts of token filters are checked when an index is made, and in _analyze', async () => {
  const refused = async (definition) => {
    const settings = { analysis: { filter: { f: definition } } };
    const { status, body } = await call(node, 'PUT', '/refused', { settings });
    return [status, body.error.type, body.error.reason];
  };
  const illegal = 'illegal_argument_exception';
  const source = 'true';
  assert.deepEqual(await refused({ type: 'predicate_token_filter' }), [
    400,
    illegal,
    'must specify either [source] for an inline script or [id] for a stored script',
  ]);
  assert.deepEqual(await refused({ type: 'condition', filter: ['nope'], script: { source } }), [
    400,
    illegal,
    'ScriptedConditionTokenFilter [f] refers to undefined token filter [nope]',
  ]);
  assert.deepEqual(await refused({ type: 'predicate_token_filter', script: { id: 'x' } }), [
    400,
    illegal,
    'Cannot use stored scripts in tokenfilter [f]',
  ]);
  const broken = await refused({ type: 'condition', filter: ['lowercase'], script: { source: 'true +' } });
  assert.deepEqual(broken, [400, 'script_exception', 'compile error']);
  const { status, body } = await call(node, 'POST', '/_analyze', {
    tokenizer: 'standard',
    filter: [{ type: 'predicate_token_filter', script: { source: 'token.term.charAt(5) == (char)"a"' } }],
    text: 'a',
  });
  assert.deepEqual([status, body.error.type], [400, 'script_exception']);
});
