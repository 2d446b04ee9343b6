// Writes of documents and bulks with versions, sequence numbers, routing and refresh, and what is there afterwards.
import { FIELDS } from '../fields.mjs';

const id = (r) => r.pick(['1', '2', '3', 'é', '4']);
const NAMES = ['t', 'k', 'int', 'date', 'bool', 'ip', 'geo', 'flat', 'long', 'double', 'ints'];

function document(r) {
  const names = r.several(NAMES, 4);
  const value = (name) => (r.chance(0.06) ? r.pick(FIELDS[name].malformed ?? ['bad']) : FIELDS[name].value(r));
  const doc = Object.fromEntries(
    names.map((name) => [name, r.chance(0.15) ? [value(name), value(name)] : value(name)]),
  );
  return {
    ...doc,
    ...r.options(
      { new: () => r.pick([1, 'text', { a: 1 }, [], null, [[1], [2]], '2024-01-01']), 'd.ot': () => 1 },
      0.1,
    ),
  };
}
const versions = (r) =>
  r.pick([
    { if_seq_no: String(r.below(3)), if_primary_term: '1' },
    { version: String(r.between(1, 5)), version_type: 'external' },
    { version: String(r.between(1, 5)), version_type: 'external_gte' },
  ]);
const parameters = (r) => ({
  ...(r.chance(0.15) ? versions(r) : {}),
  ...r.options(
    {
      refresh: () => r.pick(['true', 'false', 'wait_for', '']),
      routing: () => r.pick(['a', 'b']),
      timeout: () => '10s',
      wait_for_active_shards: () => '1',
      require_alias: () => r.pick(['true', 'false']),
    },
    0.06,
  ),
});
const put = (r, index) => ({
  method: 'PUT',
  path: `/${index}/_doc/${id(r)}`,
  query: { ...parameters(r), ...r.options({ op_type: () => r.pick(['create', 'index']) }, 0.1) },
  body: document(r),
});
const create = (r, index) => ({
  method: 'PUT',
  path: `/${index}/_create/${id(r)}`,
  query: r.options({ routing: () => 'a', refresh: () => 'true' }, 0.1),
  body: document(r),
});
const remove = (r, index) => ({ method: 'DELETE', path: `/${index}/_doc/${id(r)}`, query: parameters(r) });

function updateBody(r) {
  return {
    doc: document(r),
    ...r.options(
      {
        upsert: () => document(r),
        doc_as_upsert: () => true,
        detect_noop: () => false,
        _source: () => r.pick([true, ['k'], 'int']),
      },
      0.25,
    ),
  };
}
const update = (r, index) => ({
  method: 'POST',
  path: `/${index}/_update/${id(r)}`,
  query: r.options(
    {
      retry_on_conflict: () => '2',
      _source: () => r.pick(['true', 'k']),
      if_seq_no: () => '1',
      if_primary_term: () => '1',
      routing: () => 'a',
      refresh: () => 'true',
      require_alias: () => 'false',
    },
    0.1,
  ),
  body: updateBody(r),
});

function action(r, index) {
  const more = r.options(
    { routing: () => 'a', require_alias: () => false, _index: () => r.pick([index, `${index}x`]) },
    0.08,
  );
  const own = r.chance(0.1)
    ? Object.fromEntries(Object.entries(versions(r)).map(([k, v]) => [k, k === 'version_type' ? v : Number(v)]))
    : {};
  const target = { _id: id(r), ...more, ...own };
  return r.weighted([
    [4, [{ index: target }, document(r)]],
    [2, [{ create: target }, document(r)]],
    [2, [{ delete: target }]],
    [
      2,
      [
        { update: { ...target, ...r.options({ retry_on_conflict: () => 1, _source: () => true }, 0.1) } },
        updateBody(r),
      ],
    ],
  ]);
}
const bulk = (r, index) => ({
  method: 'POST',
  path: `/${index}/_bulk`,
  query: r.options(
    {
      refresh: () => 'true',
      routing: () => 'b',
      _source: () => 'true',
      require_alias: () => 'false',
      pipeline: () => '_none',
    },
    0.1,
  ),
  body: r.list(1, 5, () => action(r, index)),
});
const get = (r, index) => ({
  method: 'GET',
  path: `/${index}/_doc/${id(r)}`,
  query: r.options({ routing: () => 'a', realtime: () => 'false', stored_fields: () => 'k', version: () => '2' }, 0.1),
});
const searched = (index) => ({
  method: 'POST',
  path: `/${index}/_search`,
  body: { size: 20, version: true, seq_no_primary_term: true, sort: [{ _seq_no: 'asc' }], fields: ['*'] },
});

/** Writes to a fresh index, then what it holds and what its mapping became. */
export function writeRequest(r, world) {
  const index = `${world.prefix}-w`;
  const properties = Object.fromEntries(
    r.several(NAMES, 8).map((name) => [name, { type: FIELDS[name].type, ...FIELDS[name].parameters(r) }]),
  );
  delete properties.all;
  for (const property of Object.values(properties))
    for (const name of ['analyzer', 'normalizer', 'copy_to']) delete property[name];
  const mappings = {
    ...r.options(
      {
        dynamic: () => r.pick([true, false, 'strict', 'runtime']),
        _routing: () => ({ required: true }),
        date_detection: () => false,
        numeric_detection: () => true,
        _source: () => ({ enabled: false }),
      },
      0.08,
    ),
    properties,
  };
  const settings = { number_of_shards: r.pick([1, 1, 2]), number_of_replicas: 0, refresh_interval: '-1' };
  const start = r.chance(0.85) ? [{ method: 'PUT', path: `/${index}`, body: { settings, mappings } }] : [];
  const writes = r.list(3, 7, () =>
    r.weighted([
      [5, put],
      [2, create],
      [2, remove],
      [3, update],
      [4, bulk],
      [2, get],
    ])(r, index),
  );
  const after = [
    { method: 'POST', path: `/${index}/_refresh` },
    searched(index),
    { method: 'GET', path: `/${index}/_mapping` },
  ];
  return [...start, ...writes, ...after];
}
