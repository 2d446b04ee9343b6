import assert from 'node:assert/strict';
import { test } from 'node:test';
import { packState, readPacked, unpackState } from './packed-state.js';

test('a state of any size is packed in pieces of one stream, and unpacked as it was', () => {
  for (const count of [0, 1, 1000, 600_000]) {
    const pieces = packState((out) => {
      for (let i = 0; i < count; i++) {
        out.f64(i * 0.37);
        out.spill();
      }
    });
    const bytes = unpackState(pieces);
    assert.deepEqual(
      new Float64Array(Uint8Array.from(bytes).buffer),
      Float64Array.from({ length: count }, (_, i) => i * 0.37),
    );
    const from = readPacked(pieces);
    for (let i = 0; i < count; i++) assert.equal(from.f64(), i * 0.37);
    assert.throws(() => from.u8(), { type: 'corrupt_index_exception' });
    const whole = readPacked([Buffer.concat(pieces)]);
    assert.deepEqual(whole.raw(8 * count), bytes, 'of an earlier version, in one piece');
    assert.equal(pieces.length, 2 + Math.floor((8 * count) / 2 ** 20));
  }
});
