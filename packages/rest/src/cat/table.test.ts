import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RestRequest } from '../routing/route.js';
import { RequestParameters } from '../routing/params.js';
import { bytes, millis } from './cell.js';
import { routes as counts } from './count.js';
import { routes as shards } from './shards.js';
import { type Column, column, renderTable } from './table.js';

interface Row {
  readonly name: string;
  readonly size: number;
  readonly took: number;
  readonly owner: string | null;
}

const columns: readonly Column<Row>[] = [
  column('name', 'n', 'name', 'default', (row) => row.name),
  column('store.size', 'ss,size', 'size', 'default right', (row) => bytes(row.size)),
  column('took', 't', 'time', 'default right', (row) => millis(row.took)),
  column('owner', 'o', 'owner', '', (row) => row.owner),
];

const rows: readonly Row[] = [
  { name: 'b', size: 23_000, took: 90_000, owner: null },
  { name: 'long', size: 249, took: 15, owner: 'kim' },
];

function render(query: Record<string, string>, headers: Record<string, string> = {}) {
  const request = {
    params: new RequestParameters(new Map(Object.entries(query)), {}),
    headers,
  } as unknown as RestRequest;
  return renderTable(request, columns, rows) as { text?: string; json?: unknown };
}

test('sizes and times are right-aligned in the largest unit, the last left-aligned column is not padded', () => {
  assert.equal(render({ v: 'true' }).text, 'name store.size took\nb        22.4kb 1.5m\nlong       249b 15ms\n');
  assert.equal(render({ h: 'name,owner', v: '' }).text, 'name owner\nb    \nlong kim\n');
});

test('columns go by name, alias or wildcard, headed as they were asked for; unknown ones are left out', () => {
  assert.equal(render({ h: 'n,zz,s*', v: 'true' }).text, 'n    store.size\nb        22.4kb\nlong       249b\n');
  assert.equal(render({ h: 'zz' }).text, '\n\n');
});

test('one unit for all cells cuts fractions off', () => {
  assert.equal(render({ h: 'size,took', bytes: 'kb', time: 's' }).text, '22 90\n 0  0\n');
});

test('rows are ordered by value, not by text; unknown sort keys are refused', () => {
  assert.equal(render({ h: 'n', s: 'ss' }).text, 'long\nb\n');
  assert.equal(render({ h: 'n', s: 'size:desc' }).text, 'b\nlong\n');
  assert.throws(() => render({ s: 'zz' }), /Unable to sort by unknown sort key `zz`/);
});

test('JSON has text values and null, by format or by Accept', () => {
  const wanted = [
    { n: 'b', owner: null },
    { n: 'long', owner: 'kim' },
  ];
  assert.deepEqual(render({ h: 'n,owner', format: 'json' }).json, wanted);
  assert.deepEqual(render({ h: 'n,owner' }, { accept: 'application/json' }).json, wanted);
});

test('a table is text unless one structured type is asked for', () => {
  for (const accept of ['text/plain,application/json', 'application/json, text/plain, */*', 'text/plain', '*/*', 'x/y'])
    assert.match(render({}, { accept }).text ?? '', /^b +22.4kb/, accept);
  for (const accept of ['application/json', 'application/yaml', 'application/vnd.elasticsearch+json;compatible-with=8'])
    assert.ok(Array.isArray(render({}, { accept }).json), accept);
});

test('tables take the parameters of calls to the master where 8.12 reads them', () => {
  const takes = (routes: typeof counts): string[] =>
    ['local', 'master_timeout'].filter((name) => routes[0]!.parameters?.includes(name) === true);
  assert.deepEqual(takes(counts), []);
  assert.deepEqual(takes(shards), ['master_timeout']);
});
