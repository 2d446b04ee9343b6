import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type FieldEntry, type FieldLayout, memorySegment, mergeSegments, openSegment } from '@shoal/segments';
import { createIndexBuffer } from './index-buffer.js';

test('text without frequencies keeps every posting, in the buffer and in a segment', async () => {
  const terms = { freqs: false, positions: false, norms: true };
  const layout: FieldLayout = { name: 'docs', terms, column: null, points: false };
  const buffer = createIndexBuffer();
  for (let n = 0; n < 40; n++) {
    const tokens = n % 3 === 0 ? ['third', 'every', 'third'] : ['every'];
    const entry: FieldEntry = {
      kind: 'tokens',
      layout,
      terms: tokens,
      positions: tokens.map((_, i) => i),
      length: tokens.length,
    };
    buffer.add([{ entries: [entry], nestedPath: null }], { id: `${n}`, seqNo: n, primaryTerm: 1, version: 1 });
  }
  const memory = memorySegment();
  const snapshot = buffer.snapshot();
  await mergeSegments([{ reader: snapshot, live: null, maxDoc: 40 }], memory);
  for (const reader of [snapshot, openSegment(memory.source('s'))]) {
    const found = reader.terms('docs')!;
    const third = found.lookup('third');
    const postings = found.postings(third);
    assert.equal(found.sumTotalTermFreq, 54);
    assert.equal(postings.nextBlock(), 14);
    assert.deepEqual(
      [...postings.docs.subarray(0, 14)],
      Array.from({ length: 14 }, (_, i) => 3 * i),
    );
    assert.equal(reader.norms('docs')!.get(0), 2, 'the length is the number of distinct terms');
  }
});
