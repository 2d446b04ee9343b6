import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withNode } from './explained-hits.js';

const bytes = (text: string): Uint8Array => new Uint8Array(Buffer.from(text));
const texts = (hits: readonly Uint8Array[]): string[] => hits.map((hit) => Buffer.from(hit).toString());

test('a hit with an explanation names the node behind its shard', () =>
  assert.deepEqual(texts(withNode([bytes('{"_shard":"[i][0]","_index":"i","_id":"1"}')], 'n1')), [
    '{"_shard":"[i][0]","_node":"n1","_index":"i","_id":"1"}',
  ]));

test('hits without an explanation stay as they are', () => {
  const hits = [bytes('{"_index":"i"}')];
  assert.equal(withNode(hits, 'n1'), hits);
  assert.deepEqual(withNode([], 'n1'), []);
});

test('explained inner hits name the node too, at all depths; documents that look like them stay as they are', () => {
  const inner = (more: string): string =>
    `"inner_hits":{"n":{"hits":{"total":1,"hits":[{"_shard":"[i][0]","_id":"1"${more}}]}}}`;
  const source = '"_source":{"a":"\\"","inner_hits":{"n":{"hits":{"hits":[{"_shard":"x","y":1}]}}}}';
  const hit = (more: string): string => `{"_index":"i",${source},${inner(more)}}`;
  const named = (text: string): string => text.replaceAll('"[i][0]",', '"[i][0]","_node":"n1",');
  for (const text of [hit(''), hit(`,${inner('')}`), hit('').replace('{', '{"_shard":"[i][0]",')])
    assert.deepEqual(texts(withNode([bytes(text)], 'n1')), [named(text)]);
  const plain = bytes('{"_index":"i","_source":{"a":{"b":{"c":[1]}}}}');
  assert.deepEqual(withNode([plain], 'n1'), [plain]);
});
