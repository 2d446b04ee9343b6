import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Searcher } from '@shoal/query';
import { memoryIndex } from '@shoal/query/testing';
import { ordinalSource } from '../source/ordinal-source.js';
import { countingOrdinalSource } from './terms-ordinals.js';

const TERMS = ['a', 'b', 'c', 'd', 'e'];

const many = (i: number): object => ({ k: TERMS.filter((_, t) => (i * 7) % (t + 3) === 0) });
const one = (i: number): object => (i % 4 === 0 ? {} : { k: TERMS[i % 5]! });

/** A searcher over one sealed segment of 1,500 documents, which have values of the keyword field `k`. */
const searcherOf = (make: (i: number) => object): Promise<Searcher> => {
  const documents = Array.from({ length: 1500 }, (_, i) => make(i));
  return memoryIndex({ mapping: { k: { type: 'keyword' } }, documents }).searcher([documents.map((_, i) => i)]);
};

for (const [name, make] of [
  ['several values', many],
  ['one value', one],
] as const) {
  test(`unpacked ordinals of ${name} a document are those of the column`, async () => {
    const searcher = await searcherOf(make);
    const docs = Int32Array.from({ length: 900 }, (_, i) => Math.floor((i * 5) / 3));
    const kept = countingOrdinalSource(searcher, 'k', undefined);
    const plain = ordinalSource('k', undefined);
    for (const source of [kept, plain]) source.segment(searcher.segments[0]!);
    assert.deepEqual(kept.read(docs, 900).slice(0, 900), plain.read(docs, 900).slice(0, 900));
    const [a, b] = [kept.readAll(docs, 900), plain.readAll(docs, 900)];
    assert.deepEqual(a.starts.slice(0, 901), b.starts.slice(0, 901));
    assert.deepEqual(a.values.slice(0, a.starts[900]), b.values.slice(0, b.starts[900]));
  });

  test(`counts of ${name} a document follow the map, for windows of any size`, async () => {
    const searcher = await searcherOf(make);
    const docs = Int32Array.from({ length: 1000 }, (_, i) => i + 3);
    const map = Int32Array.of(4, 3, 2, 1, 0);
    const [dense, sparse] = [new Int32Array(5), new Int32Array(5)];
    const source = countingOrdinalSource(searcher, 'k', undefined);
    source.segment(searcher.segments[0]!);
    source.count(docs, 1000, map, dense);
    const other = countingOrdinalSource(searcher, 'k', undefined);
    other.segment(searcher.segments[0]!);
    for (let at = 0; at < 1000; at += 100) other.count(docs.subarray(at), 100, map, sparse);
    assert.deepEqual(dense, sparse);
    assert.ok(dense.some((count) => count > 0));
  });
}
