import assert from 'node:assert/strict';
import { test } from 'node:test';
import { idHashLow } from '@shoal/codec';
import { memorySegment } from '../memory-segment.js';
import { PartReader } from '../storage/part-reader.js';
import { SegmentOutput } from '../storage/part-writer.js';
import { IdIndex, writeIds } from './ids.js';

const COUNT = 5000;

test('every id is found and hardly any other, before and after the filter is made', async () => {
  const memory = memorySegment();
  const output = new SegmentOutput(memory);
  const hashes = Int32Array.from({ length: COUNT }, (_, doc) => idHashLow(`id-${doc}`));
  const location = writeIds(
    output,
    hashes,
    Int32Array.from({ length: COUNT }, (_, doc) => doc),
    COUNT,
  );
  await output.finish();
  const source = memory.source('s');
  const chunksAsked: string[] = [];
  const counted = {
    ...source,
    chunk: (part: string, index: number) => (chunksAsked.push(part), source.chunk(part, index)),
  };
  const ids = new IdIndex(new PartReader(counted, 'ids'), new PartReader(source, 'index').stream(location), COUNT);
  for (let round = 0; round < 3; round++) {
    for (let doc = 0; doc < COUNT; doc++) assert.ok(ids.find(`id-${doc}`).includes(doc), `id-${doc}`);
  }
  chunksAsked.length = 0;
  for (let i = 0; i < COUNT; i++) assert.deepEqual(ids.find(`other-${i}`), []);
  assert.ok(chunksAsked.length < COUNT / 10, `${chunksAsked.length} blocks read for ${COUNT} unknown ids`);
});
