import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ByteReader } from './byte-reader.js';
import { ByteWriter } from './byte-writer.js';

test('values that lie across pieces are read as from one, wherever the pieces end', () => {
  const out = new ByteWriter();
  out.u8(7);
  out.u32(4_000_000_000);
  out.f64(Math.PI);
  out.varint(300_000);
  out.string('für alle');
  out.bytes(Uint8Array.of(1, 2, 3));
  const bytes = out.finish();
  for (let size = 1; size <= bytes.length; size++) {
    let at = 0;
    const reader = new ByteReader(new Uint8Array(), () => {
      if (at >= bytes.length) return null;
      const piece = bytes.slice(at, (at += size));
      return piece;
    });
    assert.equal(reader.peek(), 7);
    assert.deepEqual(
      [reader.u8(), reader.u32(), reader.f64(), reader.varint(), reader.string(), [...reader.bytes()]],
      [7, 4_000_000_000, Math.PI, 300_000, 'für alle', [1, 2, 3]],
    );
    assert.throws(() => reader.u8(), { type: 'corrupt_index_exception' });
  }
});
