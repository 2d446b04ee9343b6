import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Hit } from '@shoal/values';
import { csvRows, leafFields, NDJSON } from './export-rows.js';

const hit = (source: string): Hit => ({ index: 'i', id: '=1', source, fields: null, sort: null, others: [] });

test('a document is one line of NDJSON, exactly as stored', () => {
  assert.equal(
    NDJSON.row(hit('{\n  "n": 9007199254740993,\n  "t": "a\\nb"\n}')),
    '{"n": 9007199254740993,"t": "a\\nb"}\n',
  );
});

test('a document is a line of CSV with its columns, name and index too', () => {
  const { head, row } = csvRows(['_id', '_index', 'n', 'u.name', 'none'], true);
  assert.equal(head, '_id,_index,n,u.name,none\r\n');
  assert.equal(row(hit('{"n":1.10,"u":{"name":["a","b"]}}')), '\'=1,i,1.10,"a, b",\r\n');
});

test('fields of documents are found, without objects, variants and those of the cluster', () => {
  const caps = {
    fields: {
      't.raw': { keyword: {} },
      t: { text: {} },
      o: { object: {} },
      'o.x': { long: {} },
      _id: { _id: { metadata_field: true } },
    },
  };
  assert.deepEqual(leafFields(JSON.stringify(caps)), ['o.x', 't']);
});
