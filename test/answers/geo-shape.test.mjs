// Fields of shapes on a whole node: written, made by the processor `circle`, merged, searched, shown and refused.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { call, startNode } from '../node-process.mjs';

let node;
before(async () => (node = await startNode()));
after(() => node?.stop());

const ask = (method, path, body) => call(node, method, path, body);
const shape = { type: 'geo_shape', ignore_malformed: true };
const search = async (query, more = {}) =>
  (await ask('POST', '/areas/_search', { query, sort: ['_doc'], ...more })).body.hits.hits;
const found = async (query) => (await search(query)).map(({ _id }) => _id).sort();
const asked = (wkt, relation = 'intersects') => ({ geo_shape: { s: { shape: wkt, relation } } });

test('shapes are found before and after a merge, shown, and refused', async () => {
  await ask('PUT', '/areas', {
    mappings: { properties: { s: shape, strict: { type: 'geo_shape' } } },
    settings: { number_of_replicas: 0 },
  });
  await ask('PUT', '/_ingest/pipeline/round', {
    processors: [{ circle: { field: 's', error_distance: 10, shape_type: 'geo_shape' } }],
  });
  const square = 'POLYGON ((0 0, 10 0, 10 10, 0 10, 0 0), (4 4, 6 4, 6 6, 4 6, 4 4))';
  await ask('PUT', '/areas/_doc/square', { s: square });
  await ask('PUT', '/areas/_doc/round?pipeline=round', { s: 'CIRCLE (30 10 1000)' });
  await ask('PUT', '/areas/_doc/wrong?refresh=true', { s: 'POLYGON ((0 0, 1 0, 1 1, 0 1))' });
  const check = async () => {
    assert.deepEqual(await found(asked('POINT (5 5)')), []);
    assert.deepEqual(await found(asked('POINT (2 2)')), ['square']);
    assert.deepEqual(await found(asked('BBOX (29, 31, 11, 9)', 'within')), ['round']);
    assert.deepEqual(await found(asked('BBOX (1, 2, 2, 1)', 'contains')), ['square']);
    assert.deepEqual(await found(asked('POINT (2 2)', 'disjoint')), ['round']);
    assert.deepEqual(await found({ exists: { field: 's' } }), ['round', 'square']);
    assert.deepEqual(await found({ term: { _ignored: 's' } }), ['wrong']);
  };
  await check();
  await ask('POST', '/areas/_flush');
  await ask('POST', '/areas/_forcemerge?max_num_segments=1');
  await check();
  const [hit] = await search(asked('POINT (2 2)'), { fields: [{ field: 's', format: 'wkt' }] });
  assert.match(hit.fields.s[0], /^POLYGON \(\(0\.0 0\.0, 10\.0 0\.0,/);
  const [same] = await search(asked('POINT (2 2)'), { fields: ['s'] });
  assert.equal(same.fields.s[0].type, 'Polygon');
  const caps = (await ask('GET', '/areas/_field_caps?fields=s')).body.fields.s.geo_shape;
  assert.deepEqual([caps.searchable, caps.aggregatable], [true, false]);
});

test('what is no shape is refused with 400', async () => {
  const refused = async (value) => {
    const { status, body } = await ask('PUT', '/areas/_doc/bad', { strict: value });
    assert.equal(status, 400, JSON.stringify(value));
    return body.error.type;
  };
  const values = ['POINT (0 91)', 'NOTHING', 7, { type: 'circle' }, { type: 'Point' }, [1, 2], { type: 'Polygon' }];
  for (const value of values) assert.equal(await refused(value), 'document_parsing_exception');
  for (const wkt of ['POLYGON ((0 0, 1 0, 1 1, 0 1))', 'LINESTRING (1 1)', 'CIRCLE (1 1 1)'])
    assert.equal((await ask('POST', '/areas/_search', { query: asked(wkt) })).status, 400, wkt);
});
