import assert from 'node:assert/strict';
import fs from 'node:fs';
import { test } from 'node:test';
import { decodeValue } from '@shoal/codec';
import {
  bitSet,
  type MemorySegment,
  memorySegment,
  mergeSegments,
  NO_MORE_DOCS,
  openSegment,
  type PostingsCursor,
  type SegmentReader,
} from './index.js';

/**
 * A segment of 20,001 documents as the first writer of version 1 wrote it: parts with their chunks, in `encodeValue`
 * form.
 */
const GOLDEN = new URL('../golden/v1/segment.bin', import.meta.url);

function readGolden(): MemorySegment {
  const parts = decodeValue(fs.readFileSync(GOLDEN)) as Record<string, Uint8Array[]>;
  const memory = memorySegment();
  for (const [part, chunks] of Object.entries(parts)) for (const chunk of chunks) void memory.write(part, chunk);
  return memory;
}

const open = (): SegmentReader => openSegment(readGolden().source('golden'));

test('a segment of format version 1 is read: terms, postings, positions, norms', () => {
  const reader = open();
  assert.equal(reader.maxDoc, 20_001);
  const terms = reader.terms('text')!;
  assert.equal(terms.termCount, 59);
  assert.equal(terms.docCount, 1000);
  assert.equal(terms.term(0), 'common');
  const third = terms.postings(terms.lookup('third'));
  assert.equal(third.docFreq, 334);
  assert.equal(third.nextBlock(), 128);
  assert.deepEqual([third.docs[0], third.docs[1], third.docs[127], third.freqs[0]], [0, 3, 382, 2]);
  assert.equal(third.positions(1), 2);
  assert.deepEqual([...third.positionBuffer.subarray(0, 2)], [2, 4]);
  assert.deepEqual([third.globalImpacts().freqs[0], third.globalImpacts().norms[0]], [2, 5]);
  assert.deepEqual(
    [reader.norms('text')!.get(0), reader.norms('text')!.get(1), reader.norms('text')!.get(5000)],
    [5, 3, 0],
  );
});

test('a segment of format version 1 is read: columns, points, ids, nested documents', () => {
  const reader = open();
  assert.deepEqual(reader.numbers('num')!.bigs(5), [-5n, 5n]);
  assert.deepEqual(reader.numbers('big')!.bigs(3), [-(2n ** 63n), 2n ** 60n]);
  const doubles = new Float64Array(2);
  reader.numbers('double')!.read(Int32Array.of(1, 7), 2, doubles);
  assert.deepEqual([...doubles], [0.25, 1.75]);
  const tags = reader.ordinals('tags')!;
  assert.equal(tags.ordinalCount, 306);
  assert.equal(tags.term(0), 'in nested');
  assert.equal(reader.ordinals('key')!.lookup('key 990 with a longer text'), 99);
  const lats = new Float64Array(1);
  const lons = new Float64Array(1);
  reader.geo('geo')!.read(Int32Array.of(1), 1, lats, lons);
  assert.deepEqual([lats[0], lons[0]], [-53.00000002607703, -78.50000001490116]);
  assert.deepEqual(reader.binary('bin')!.get(51), Uint8Array.of(50, 1, 2));
  const bits = bitSet(reader.maxDoc);
  reader.points('scattered')!.collect(100, 200, bits);
  assert.equal(bits.cardinality(), 101);
  assert.deepEqual(reader.findId('id-19999'), [20_000]);
  assert.equal(reader.roots!.next(20), 21);
  assert.equal(reader.roots!.previous(reader.maxDoc), 20_000);
  assert.equal(reader.numbers('num')!.nextDocWithField(1001), NO_MORE_DOCS);
});

test('writing a segment of format version 1 again gives the same bytes', async () => {
  const golden = readGolden();
  const reader = openSegment(golden.source('golden'));
  const copy = memorySegment();
  await mergeSegments([{ reader, live: null, maxDoc: reader.maxDoc }], copy);
  assert.deepEqual([...copy.parts.keys()].sort(), [...golden.parts.keys()].sort());
  for (const [part, chunks] of golden.parts)
    assert.deepEqual(
      copy.parts.get(part),
      chunks.map((c) => new Uint8Array(c)),
      part,
    );
});

/**
 * Everything that a cursor returns of its list: documents, frequencies and positions of each block, and the impacts.
 */
function listOf(cursor: PostingsCursor): unknown {
  const blocks: unknown[] = [];
  for (let size = cursor.nextBlock(); size > 0; size = cursor.nextBlock()) {
    const positions = Array.from({ length: size }, (_, i) => {
      const count = cursor.positions(i);
      return [...cursor.positionBuffer.subarray(0, count)];
    });
    blocks.push([...cursor.docs.subarray(0, size)], [...cursor.freqs.subarray(0, size)], positions);
  }
  const { count, freqs, norms } = cursor.globalImpacts();
  return { docFreq: cursor.docFreq, blocks, impacts: [[...freqs.subarray(0, count)], [...norms.subarray(0, count)]] };
}

test('a cursor that waited reads lists of other fields and segments as a new one does', () => {
  const readers = [open(), open()];
  let waiting: PostingsCursor | undefined;
  for (const [field, term] of [
    ['text', 'third'],
    ['tags', 'in nested'],
    ['text', 'common'],
    ['text', 'third'],
  ] as const) {
    for (const reader of readers) {
      const terms = reader.terms(field);
      if (terms === null || terms.lookup(term) < 0) continue;
      const fresh = listOf(terms.postings(terms.lookup(term)));
      waiting = terms.postings(terms.lookup(term), waiting);
      assert.deepEqual(listOf(waiting), fresh);
      waiting.park!();
    }
  }
  assert.ok(waiting);
});
