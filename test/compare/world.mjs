// Indices with random mappings and documents that read-only requests are made for.
import { FIELDS, INNER, text } from './fields.mjs';

const SETTINGS = {
  analysis: {
    analyzer: { own: { tokenizer: 'standard', filter: ['lowercase', 'no_the'] } },
    filter: { no_the: { type: 'stop', stopwords: ['the', 'not'] } },
    normalizer: { lower: { type: 'custom', filter: ['lowercase'] } },
  },
};
const inner = (r) =>
  Object.fromEntries(Object.entries(INNER).map(([name, { type, parameters }]) => [name, { type, ...parameters(r) }]));

function mappingOf(r) {
  const names = Object.keys(FIELDS).filter(() => r.chance(0.55));
  const properties = { all: { type: 'text' } };
  for (const name of names) properties[name] = { type: FIELDS[name].type, ...FIELDS[name].parameters(r) };
  if (r.chance(0.5)) properties.n = { type: 'nested', properties: inner(r), ...nestedOptions(r) };
  if (r.chance(0.5)) properties.o = { properties: inner(r), ...r.options({ dynamic: () => r.pick([false, true]) }) };
  const target = names.find((name) => name !== 'comp');
  if (target !== undefined && r.chance(0.3)) properties.al = { type: 'alias', path: target };
  return { ...r.options({ dynamic: () => r.pick([true, false, 'strict', 'runtime']) }, 0.2), properties };
}
const nestedOptions = (r) => r.options({ include_in_parent: () => true, include_in_root: () => true }, 0.15);

function innerDocument(r) {
  const entries = Object.entries(INNER).filter(() => r.chance(0.8));
  return Object.fromEntries(entries.map(([name, field]) => [name, field.value(r)]));
}

function valueFor(r, field) {
  const one = () => (r.chance(0.01) ? r.pick(field.malformed) : r.chance(0.02) ? null : field.value(r));
  return r.chance(0.2) ? r.list(0, 3, one) : one();
}

function documentFor(r, properties) {
  const doc = {};
  for (const [name, field] of Object.entries(FIELDS))
    if (properties[name] !== undefined && r.chance(0.75)) doc[name] = valueFor(r, field);
  if (properties.n && r.chance(0.8)) doc.n = r.chance(0.2) ? innerDocument(r) : r.list(0, 3, () => innerDocument(r));
  if (properties.o && r.chance(0.8)) doc.o = innerDocument(r);
  if (r.chance(0.1)) doc[r.pick(['x1', 'x2'])] = r.pick([1, 1.5, 'new text', true, '2024-01-01', { y: 'z' }, [1, 2]]);
  return doc;
}

/** Fields as requests name them: path, kind, the row of values, and the nested path that they are below. */
function fieldsOf(properties) {
  const fields = [];
  const add = (path, row, extra = {}) => fields.push({ path, kind: row.kind, row, ...extra });
  for (const [name, row] of Object.entries(FIELDS)) {
    if (properties[name] === undefined) continue;
    add(name, row);
    if (properties[name].fields?.kw) add(`${name}.kw`, { ...FIELDS.k, value: row.value });
    if (properties[name].fields?.t) add(`${name}.t`, { ...FIELDS.t, value: row.value });
    if (row.kind === 'flattened') add(`${name}.x`, { ...FIELDS.k, kind: 'flattened' });
  }
  for (const [name, row] of Object.entries(INNER)) {
    if (properties.o) add(`o.${name}`, row);
    if (properties.n) add(`n.${name}`, row, { nested: 'n' });
  }
  if (properties.al) add('al', FIELDS[properties.al.path]);
  add('all', FIELDS.t);
  return fields;
}

function bulkOf(r, index, mappings) {
  const lines = Array.from({ length: r.between(4, 24) }, (_, i) => [
    { index: { _id: String(i), ...r.options({ routing: () => r.pick(['r1', 'r2']) }, 0.05) } },
    documentFor(r, mappings.properties),
  ]);
  return { method: 'POST', path: `/${index}/_bulk`, query: { refresh: 'true' }, body: lines };
}

/** Index `<prefix>-a`, sometimes `<prefix>-b` and an alias: what to send first, and what there is. */
export function makeWorld(r, prefix) {
  const mappings = mappingOf(r);
  const shards = r.pick([1, 1, 2, 3]);
  const index = `${prefix}-a`;
  const settings = { number_of_shards: shards, number_of_replicas: 0, ...SETTINGS };
  const setup = [
    { method: 'PUT', path: `/${index}`, body: { settings, mappings } },
    bulkOf(r, index, mappings),
    ...(r.chance(0.3) ? [bulkOf(r, index, mappings)] : []),
  ];
  const names = [index];
  if (r.chance(0.3)) {
    const other = `${prefix}-b`;
    const second = r.chance(0.6) ? mappings : mappingOf(r);
    setup.push({ method: 'PUT', path: `/${other}`, body: { settings, mappings: second } }, bulkOf(r, other, second));
    names.push(other, `${index},${other}`, `${prefix}-*`);
  }
  if (r.chance(0.3)) {
    const alias = {
      filter: { ids: { values: ['0', '1', '3', '4', '7'] } },
      ...r.options({ is_write_index: () => true }),
    };
    setup.push({ method: 'PUT', path: `/${index}/_alias/${prefix}-f`, body: alias });
    names.push(`${prefix}-f`);
  }
  return { prefix, index, names, setup, shards, mappings, fields: fieldsOf(mappings.properties), text };
}

/** Picks a field of one of the kinds, seldom one of another kind or none that there is. */
export function fieldFor(r, world, kinds, nested = null) {
  if (r.chance(0.02)) return { path: 'missing', kind: 'keyword', row: FIELDS.k };
  const here = world.fields.filter((field) => (field.nested ?? null) === nested);
  const fitting = here.filter((field) => kinds.includes(field.kind));
  const from = fitting.length === 0 || r.chance(0.04) ? (here.length === 0 ? world.fields : here) : fitting;
  return r.pick(from);
}
