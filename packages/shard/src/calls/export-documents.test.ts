import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Shard } from '../shard-api.js';
import { exportDocuments } from './export-documents.js';

const COUNT = 7_000;

test('documents are exported in pages by sequence number, and gathered once for all pages', async () => {
  let gathered = 0;
  const column = {
    readRange(_from: number, _to: number, into: Float64Array) {
      gathered++;
      for (let doc = 0; doc < COUNT; doc++) into[doc] = COUNT - 1 - doc;
    },
  };
  const reader = { numbers: () => column, roots: null };
  const searcher = {
    segments: [{ reader, live: null, docBase: 0, maxDoc: COUNT }],
    stored: (doc: number) => ({ id: `${doc}`, routing: null, version: 1, source: Buffer.from('{}') }),
  };
  const shard = { refresh: () => undefined, acquire: () => ({ searcher, release: () => undefined }) };
  const found: number[] = [];
  for (let pages = 1; ; pages++) {
    const page = await exportDocuments(shard as unknown as Shard, { after: found.at(-1) ?? -1 });
    found.push(...page.map(({ seqNo }) => seqNo));
    if (page.length > 0) continue;
    assert.equal(pages, 5);
    break;
  }
  assert.deepEqual(
    found,
    Array.from({ length: COUNT }, (_, i) => i),
  );
  assert.equal(gathered, 1);
});
