import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isApiError } from '@shoal/errors';
import {
  bitSet,
  type FieldEntry,
  type FieldLayout,
  memorySegment,
  mergeSegments,
  multiNumbers,
  multiOrdinals,
  openSegment,
  type SegmentReader,
  type SegmentSource,
} from '@shoal/segments';
import { runs } from '@shoal/testing';
import fc from 'fast-check';
import { createIndexBuffer } from './index-buffer.js';

const TEXT: FieldLayout = {
  name: 'text',
  terms: { freqs: true, positions: true, norms: true },
  column: 'ordinals',
  points: false,
};
const NUM: FieldLayout = { name: 'num', terms: null, column: 'double', points: true };
const GEO: FieldLayout = { name: 'geo', terms: null, column: 'geo', points: true };
const BIN: FieldLayout = { name: 'bin', terms: null, column: 'binary', points: false };

function entries(i: number): FieldEntry[] {
  const terms = ['common', `n${i % 40}`, `u${i}`, ...(i % 2 === 0 ? ['common'] : [])];
  return [
    { kind: 'tokens', layout: TEXT, terms, positions: terms.map((_, p) => p * 3), length: terms.length },
    { kind: 'numbers', layout: NUM, values: [((i * 7919) % 10_007) / 10, ...(i % 7 === 0 ? [i] : [])] },
    { kind: 'points', layout: GEO, values: [(i % 170) - 85, ((i * 31) % 350) - 175] },
    ...(i % 3 === 0 ? [{ kind: 'binary', layout: BIN, value: Uint8Array.of(i, 1, 2) } as const] : []),
  ];
}

function readPostings(reader: SegmentReader): void {
  const terms = reader.terms('text');
  if (terms === null) return;
  const cursor = terms.cursor();
  for (let n = 0; n < 50 && cursor.next(); n++) {
    const postings = terms.postings(cursor.ordinal);
    postings.globalImpacts();
    postings.shallowAdvance(100);
    postings.impacts();
    for (let size = postings.nextBlock(), blocks = 0; size > 0 && blocks < 100; size = postings.nextBlock(), blocks++)
      postings.positions(size - 1);
  }
  terms.lookup('u77');
  terms.term(3);
}

function readColumns(reader: SegmentReader): void {
  const docs = Int32Array.from({ length: reader.maxDoc }, (_, i) => i);
  const count = Math.min(docs.length, 3000);
  reader.numbers('num')?.readAll(docs, count, multiNumbers());
  reader.numbers('num')?.read(docs, count, new Float64Array(docs.length));
  reader.ordinals('text')?.readAll(docs, count, multiOrdinals());
  reader.geo('geo')?.readAll(docs, count, multiNumbers(), multiNumbers());
  for (let doc = 0; doc < 20; doc++) reader.binary('bin')?.get(doc);
  reader.norms('text')?.get(0);
}

function readEverything(reader: SegmentReader): void {
  readPostings(reader);
  readColumns(reader);
  reader.points('num')?.collect(10, 500, bitSet(reader.maxDoc));
  reader.geoPoints('geo')?.collect(
    (_a, maxLat) => (maxLat > 40 ? 'inside' : 'crosses'),
    (lat) => lat > 0,
    bitSet(reader.maxDoc),
  );
  for (const id of ['5', '77', 'x']) reader.findId(id);
}

test('a damaged segment gives corrupt_index_exception or some answer, and comes to an end', async () => {
  const buffer = createIndexBuffer();
  for (let i = 0; i < 3000; i++)
    buffer.add([{ entries: entries(i), nestedPath: null }], { id: `${i}`, seqNo: i, primaryTerm: 1, version: 1 });
  const memory = memorySegment();
  const reader = buffer.snapshot();
  await mergeSegments([{ reader, live: null, maxDoc: reader.maxDoc }], memory);
  readEverything(openSegment(memory.source('s')));
  const damage = fc.record({
    part: fc.constantFrom(...memory.parts.keys()),
    at: fc.nat(1 << 20),
    byte: fc.nat(255),
    cut: fc.constantFrom(0, 0, 0, 1),
  });
  fc.assert(
    fc.property(damage, ({ part, at, byte, cut }) => {
      const source = memory.source('damaged');
      const damaged = openWith(source, part, at, byte, cut === 1);
      try {
        readEverything(openSegment(damaged));
      } catch (error) {
        assert.ok(isApiError(error) && error.type === 'corrupt_index_exception', `${part}: ${(error as Error).stack}`);
      }
    }),
    // Case found by chance: the damaged byte makes a length far below zero.
    { numRuns: runs(60), examples: [[{ part: 'index', at: 400_461, byte: 126, cut: 0 as const }]] },
  );
});

function openWith(source: SegmentSource, part: string, at: number, byte: number, cut: boolean): SegmentSource {
  const damaged = Array.from({ length: source.chunkCount(part) }, (_, index) => {
    const chunk = source.chunk(part, index).slice();
    if (cut) return chunk.subarray(0, at % chunk.length);
    chunk[at % chunk.length] = byte;
    return chunk;
  });
  return {
    ...source,
    chunk: (name, index) => (name === part ? (damaged[index] ?? source.chunk(name, index)) : source.chunk(name, index)),
  };
}
