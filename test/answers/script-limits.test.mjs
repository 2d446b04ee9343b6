// Limits of scripts over HTTP: what a node compiles, and which scripts it runs at all. Errors are those of 8.12.0.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { call, startNode } from '../node-process.mjs';

const refusal = ({ status, body }) => [status, body.error.type, body.error.reason];
const illegal = 'illegal_argument_exception';
const execute = (node, source) => call(node, 'POST', '/_scripts/painless/_execute', { script: { source } });

test('scripts are compiled at the rate of the settings, which nodes follow and count', async () => {
  const node = await startNode();
  try {
    const settings = (persistent) => call(node, 'PUT', '/_cluster/settings', { persistent });
    await call(node, 'PUT', '/i/_doc/1?refresh', { n: 1 });
    await settings({ 'script.max_compilations_rate': '2/5m' });
    await execute(node, '1');
    await execute(node, '2');
    const refused = await execute(node, '3');
    assert.deepEqual(refusal(refused).slice(0, 2), [429, 'circuit_breaking_exception']);
    assert.match(refused.body.error.reason, /max: \[2\/5m\].*\[script\.max_compilations_rate\] setting$/);
    assert.deepEqual((await execute(node, '1')).body, { result: '1' });
    const query = { script_score: { query: { match_all: {} }, script: { source: '7' } } };
    const search = await call(node, 'POST', '/i/_search', { query });
    const { reason: cause } = search.body.error.failed_shards[0];
    assert.deepEqual([search.status, cause.type], [400, 'query_shard_exception']);
    assert.equal(cause.caused_by.type, 'circuit_breaking_exception');
    const stats = async () =>
      Object.values((await call(node, 'GET', '/_nodes/stats/script,script_cache')).body.nodes)[0];
    const { script, script_cache: cache } = await stats();
    const sum = { compilations: 2, cache_evictions: 0, compilation_limit_triggered: 2 };
    assert.deepEqual([script, cache], [{ ...sum, contexts: [] }, { sum }]);

    const both = await settings({ 'script.context.filter.max_compilations_rate': '10/1m' });
    assert.deepEqual(refusal(both), [
      400,
      illegal,
      'Context cache settings [script.context.filter.max_compilations_rate] are incompatible with ' +
        '[script.max_compilations_rate] set to non-default value [2/5m]. Either remove the incompatible settings ' +
        '(recommended) or set [script.max_compilations_rate] to [use-context] to use per-context settings',
    ]);
    await settings({ 'script.max_compilations_rate': 'use-context' });
    await execute(node, '4');
    const own = (await stats()).script_cache.contexts.find(({ context }) => context === 'painless_test');
    assert.equal(own.compilations, 1);
    await call(node, 'PUT', '/_scripts/s', { script: { lang: 'painless', source: '12345678901' } });
    assert.deepEqual(refusal(await settings({ 'script.max_size_in_bytes': 10 })), [
      400,
      illegal,
      'script.max_size_in_bytes cannot be set to [10], stored script [s] exceeds the new value with a size of [11]',
    ]);
  } finally {
    await node.stop();
  }
});

test('a node that runs only stored scripts of some contexts refuses all others', async () => {
  const node = await startNode({
    settings: { 'script.allowed_types': 'stored', 'script.allowed_contexts': 'score,update' },
  });
  try {
    await call(node, 'PUT', '/i/_doc/1?refresh', { n: 1 });
    for (const [id, source] of [
      ['score', '3'],
      ['filter', 'true'],
      ['update', 'ctx._source.n++'],
    ])
      await call(node, 'PUT', `/_scripts/${id}`, { script: { lang: 'painless', source } });
    const scored = (script) =>
      call(node, 'POST', '/i/_search', { query: { script_score: { query: { match_all: {} }, script } } });
    assert.equal((await scored({ id: 'score' })).body.hits.hits[0]._score, 3);
    const inline = await scored({ source: '3' });
    assert.equal(inline.status, 400);
    assert.equal(inline.body.error.root_cause[0].reason, 'cannot execute [inline] scripts');
    const filtered = await call(node, 'POST', '/i/_search', { query: { script: { script: { id: 'filter' } } } });
    assert.equal(filtered.status, 400);
    assert.match(JSON.stringify(filtered.body), /cannot execute scripts using \[filter\] context/);
    const update = (script) => call(node, 'POST', '/i/_update/1', { script });
    assert.equal((await update({ id: 'update' })).body.result, 'updated');
    const written = await update('ctx._source.n++');
    assert.deepEqual(refusal(written), [400, illegal, 'failed to execute script']);
    assert.equal(written.body.error.caused_by.reason, 'cannot execute [inline] scripts');
    assert.deepEqual(refusal(await execute(node, '1')), [400, illegal, 'cannot execute [inline] scripts']);
    const runtime = { f: { type: 'long', script: 'emit(1)' } };
    const mapped = await call(node, 'PUT', '/j', { mappings: { runtime } });
    assert.equal(mapped.status, 400);
    assert.match(JSON.stringify(mapped.body), /cannot execute \[inline\] scripts/);
    const { body } = await call(node, 'GET', '/_script_language');
    assert.deepEqual(body.types_allowed, ['stored']);
    assert.deepEqual(body.language_contexts.find(({ language }) => language === 'painless').contexts, [
      'score',
      'update',
    ]);
  } finally {
    await node.stop();
  }
});

test('a node does not start with types of scripts that there are not', async () => {
  await assert.rejects(
    startNode({ settings: { 'script.allowed_types': 'file' } }),
    /unknown script type \[file\] found in setting/,
  );
});
