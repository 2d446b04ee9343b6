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
