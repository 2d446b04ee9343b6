// Enrich policies on a whole node: made, executed, used by pipelines, executed again, deleted.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { call, startNode } from '../node-process.mjs';

let node;
before(async () => (node = await startNode()));
after(() => node?.stop());

const ask = (method, path, body) => call(node, method, path, body);
const keep = (index, id, body) => ask('PUT', `/${index}/_doc/${id}?refresh=true`, body);
const policy = (name, type, indices, match_field, more = {}) =>
  ask('PUT', `/_enrich/policy/${name}`, { [type]: { indices, match_field, enrich_fields: ['city', 'name'], ...more } });
const execute = (name, query = '') => ask('POST', `/_enrich/policy/${name}/_execute${query}`);
const pipeline = (name, options) =>
  ask('PUT', `/_ingest/pipeline/${name}`, {
    processors: [{ enrich: { field: 'key', target_field: 'found', ...options } }],
  });
const enriched = async (id, body) => {
  await ask('PUT', `/out/_doc/${id}?pipeline=${id}`, body);
  return (await ask('GET', `/out/_doc/${id}`)).body._source.found;
};
const reasonOf = ({ status, body }) => `${status} ${body.error.type}: ${body.error.reason}`;

test('documents get the fields of the policy as of its last execution', async () => {
  await keep('users', 1, { email: ['a@b.org', 'A@b.org'], city: 'Oslo', secret: 1 });
  await keep('users', 2, { email: 'left@b.org', city: 'Bergen', gone: true });
  assert.equal(
    (await policy('users', 'match', 'users', 'email', { query: { bool: { must_not: { term: { gone: true } } } } }))
      .status,
    200,
  );
  assert.match(reasonOf(await pipeline('by-mail', { policy_name: 'users' })), /no enrich index exists for policy/);
  assert.deepEqual((await execute('users')).body, { status: { phase: 'COMPLETE' } });
  await pipeline('by-mail', { policy_name: 'users' });
  const oslo = { email: ['a@b.org', 'A@b.org'], city: 'Oslo' };
  assert.deepEqual(await enriched('by-mail', { key: 'A@b.org' }), oslo);
  assert.equal(await enriched('by-mail', { key: 'left@b.org' }), undefined);
  await keep('users', 3, { email: 'new@b.org', city: 'Bergen' });
  assert.equal(await enriched('by-mail', { key: 'new@b.org' }), undefined, 'not before the next execution');
  const { body } = await execute('users', '?wait_for_completion=false');
  await ask('GET', `/_tasks/${body.task}?wait_for_completion=true`);
  assert.deepEqual(await enriched('by-mail', { key: ['none', 'new@b.org'] }), { email: 'new@b.org', city: 'Bergen' });
  const indices = (await ask('GET', '/_cat/indices/.enrich-*?h=index&format=json&expand_wildcards=all')).body;
  assert.equal(indices.length, 1, 'the index of the first execution is gone');
});

test('a value lies within the ranges of a policy', async () => {
  await ask('PUT', '/ages', { mappings: { properties: { r: { type: 'integer_range' } } } });
  await keep('ages', 1, { r: { lt: 18 }, name: 'child' });
  await keep('ages', 2, { r: { gte: 18 }, name: 'adult' });
  await policy('ages', 'range', 'ages', 'r');
  await execute('ages');
  await pipeline('by-age', { policy_name: 'ages' });
  assert.equal((await enriched('by-age', { key: 17 })).name, 'child');
  assert.equal((await enriched('by-age', { key: 18 })).name, 'adult');
  const { body } = await ask('GET', '/_enrich/_stats');
  assert.equal(body.coordinator_stats[0].executed_searches_total, 2);
  assert.equal(body.cache_stats[0].count, 2, 'the documents of the policy users');
});

test('a place lies within the shapes of a policy', async () => {
  await ask('PUT', '/areas', { mappings: { properties: { area: { type: 'geo_shape' } } } });
  const box = (left, right) => ({
    type: 'envelope',
    coordinates: [
      [left, 10],
      [right, 0],
    ],
  });
  await keep('areas', 1, { area: box(0, 10), name: 'west' });
  await keep('areas', 2, { area: box(20, 30), name: 'east' });
  await policy('areas', 'geo_match', 'areas', 'area');
  await execute('areas');
  await pipeline('by-place', { policy_name: 'areas' });
  await pipeline('elsewhere', { policy_name: 'areas', shape_relation: 'disjoint' });
  const simulated = async (name, key) =>
    (await ask('POST', `/_ingest/pipeline/${name}/_simulate`, { docs: [{ _source: { key } }] })).body.docs[0];
  const found = async (name, key) => (await simulated(name, key)).doc._source.found?.name;
  assert.equal(await found('by-place', { lat: 5, lon: 25 }), 'east');
  assert.equal(await found('by-place', 'POINT (5 5)'), 'west');
  assert.equal(await found('by-place', '5,15'), undefined);
  assert.equal(await found('elsewhere', [5, 5]), 'east');
  assert.match((await simulated('by-place', 'nowhere at all')).error.reason, /failed to parse WKT/);
});

test('policies are refused, shown and deleted in the words of Elasticsearch', async () => {
  assert.equal(
    reasonOf(await policy('users', 'match', 'users', 'email')),
    '400 resource_already_exists_exception: policy [users] already exists',
  );
  assert.equal(
    reasonOf(await policy('more', 'match', 'users', 'email.first')),
    '500 exception: Enrich policy execution for [more] failed while validating field mappings for index [users]',
  );
  assert.equal(reasonOf(await execute('none')), '404 resource_not_found_exception: policy [none] does not exist');
  const shown = await ask('GET', '/_enrich/policy/ages,none');
  const ages = { name: 'ages', indices: ['ages'], match_field: 'r', enrich_fields: ['city', 'name'] };
  assert.deepEqual(shown.body, { policies: [{ config: { range: ages } }] });
  assert.equal(
    reasonOf(await ask('DELETE', '/_enrich/policy/ages')),
    '409 status_exception: Could not delete policy [ages] because a pipeline is referencing it [by-age]',
  );
  await ask('DELETE', '/_ingest/pipeline/by-age');
  assert.equal((await ask('DELETE', '/_enrich/policy/ages')).status, 200);
  assert.equal((await ask('GET', '/.enrich-ages')).status, 404);
});
