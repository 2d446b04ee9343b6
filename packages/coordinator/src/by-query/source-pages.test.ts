import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pageOf } from './source-pages.js';

const hit = (more: string, source: string | null): Buffer =>
  Buffer.from(
    `{"_index":"i","_id":"\\",\\"_source\\":1","_version":3,"_seq_no":7,"_primary_term":1,"_score":null${more}` +
      `${source === null ? '' : `,"_source":${source}`},"sort":[4,"\\"_source\\":"],"matched_queries":["q"]}`,
  );

test('sources of a page are taken out of its hits as they are kept', () => {
  const sources = ['{ "a" : [1.0, {"_source":{"b":"}]\\""}}] }', '{}', '{\n"sort":[1]}'];
  const hits = [hit('', sources[0]!), hit(',"_routing":"r"', sources[1]!), hit('', sources[2]!)];
  const page = pageOf(hits, 3, true, true);
  assert.deepEqual(
    page.hits.map(({ source }) => Buffer.from(source!.bytes).toString()),
    sources,
  );
  const { source, ...head } = page.hits[1]!;
  const id = '","_source":1';
  assert.deepEqual(head, { index: 'i', id, routing: 'r', version: 3, seqNo: 7, primaryTerm: 1 });
  assert.deepEqual(source!.read(), {});
  assert.deepEqual([page.total, page.after, page.bytes], [3, [4, '"_source":'], sources.join('').length]);
});

test('sources may have white space around them, as a client sent them', () => {
  const sources = [
    ' {"a":1}',
    '\n\n{"a":1}',
    '\r\n{}',
    ' {"a":[1]}\t\r\n ',
    '\t{ }',
    '{} ',
    '\n{"_source":{"b":"} "}} ',
  ];
  const page = pageOf(
    sources.map((source) => hit('', source)),
    9,
    true,
    true,
  );
  assert.deepEqual(
    page.hits.map(({ source }) => Buffer.from(source!.bytes).toString()),
    sources,
  );
  assert.deepEqual(
    page.hits.map(({ source }) => source!.read()),
    sources.map((source): unknown => JSON.parse(source)),
  );
  assert.deepEqual([page.after, page.bytes], [[4, '"_source":'], sources.join('').length]);
  const last = Buffer.from('{"_index":"i","_id":"1","_version":1,"_seq_no":0,"_primary_term":1,"_source":\n{}\n}');
  assert.deepEqual(pageOf([last], 1, true, true).hits[0]!.source!.read(), {});
});

test('pages without sources, and without hits', () => {
  const page = pageOf([hit('', null)], 9, false, false);
  assert.deepEqual([page.hits[0]!.source, page.total, page.bytes], [null, null, 0]);
  assert.deepEqual(pageOf([], 0, true, true), { hits: [], total: 0, bytes: 0, after: null });
  assert.throws(() => pageOf([hit('', null)], 9, true, false), { reason: /didn't store _source/ });
});
