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

test('terms with frequencies of their own keep them, and totals beyond 32 bits', async () => {
  const terms = { freqs: true, positions: false, norms: false };
  const layout: FieldLayout = { name: 'weights', terms, column: null, points: false };
  const buffer = createIndexBuffer();
  const [count, freq] = [40_000, 65_279];
  for (let n = 0; n < count; n++) {
    const tokens = n % 4_000 === 0 ? ['every', 'some', 'every'] : ['every'];
    const entry: FieldEntry = { kind: 'weights', layout, terms: tokens, values: [freq - (n % 2), 7, 9] };
    buffer.add([{ entries: [entry], nestedPath: null }], { id: `${n}`, seqNo: n, primaryTerm: 1, version: 1 });
  }
  const memory = memorySegment();
  const snapshot = buffer.snapshot();
  await mergeSegments([{ reader: snapshot, live: null, maxDoc: count }], memory);
  for (const reader of [snapshot, openSegment(memory.source('s'))]) {
    const found = reader.terms('weights')!;
    const every = found.lookup('every');
    assert.deepEqual([found.docCount, found.docFreq(every), found.sumDocFreq], [count, count, count + 10]);
    const [total, most] = [count * freq - count / 2, count + 2 ** 31 - 1];
    assert.equal(found.totalTermFreq(every), reader === snapshot ? total : most, 'a dictionary cuts totals off');
    assert.equal(found.sumTotalTermFreq, total + 70);
    const postings = found.postings(every);
    assert.equal(postings.globalImpacts().freqs[0], freq);
    let at = 0;
    for (let size = postings.nextBlock(); size > 0; size = postings.nextBlock())
      for (let i = 0; i < size; i++, at++) assert.equal(postings.freqs[i], freq - (at % 2));
    assert.equal(at, count);
    const some = found.postings(found.lookup('some'));
    assert.equal(some.nextBlock(), 10);
    assert.deepEqual([some.docs[9], some.freqs[9]], [36_000, 7]);
  }
});
