import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { type Clock, fakeClock } from '@shoal/doors';
import { decodeBatch, responseFrame } from './frames.js';
import { FRAGMENT_BYTES, GATHERED_BYTES_MAX } from './limits.js';
import type { Wire } from './network.js';
import { Outbox } from './outbox.js';

for (const bytes of [100, 3 * FRAGMENT_BYTES]) {
  test(`a message of ${bytes} bytes that is sent is held no longer`, async () => {
    let written = 0;
    const wire = { write: (batch: Uint8Array) => (written += batch.length) > 0 } as unknown as Wire;
    const outbox = new Outbox(wire, fakeClock(), () => undefined);
    const send = (): WeakRef<Uint8Array> => {
      const payload = new Uint8Array(bytes);
      outbox.send(1, payload, (first) => responseFrame(1, bytes, first));
      return new WeakRef(payload);
    };
    const sent = send();
    outbox.flush();
    assert.ok(written > bytes);
    assert.equal(outbox.pendingBytes, 0);
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    // An object read through a weak reference stays alive until the end of the turn.
    for (let i = 0; i < 10 && sent.deref() !== undefined; i++) {
      await new Promise(setImmediate);
      collect();
    }
    assert.equal(sent.deref(), undefined);
  });
}

/** Creates an outbox. `batches` lists the ids of the messages in each written batch; `endTurn` ends the turn. */
function gathering(): { outbox: Outbox; batches: number[][]; endTurn: () => void } {
  const batches: number[][] = [];
  const callbacks: (() => void)[] = [];
  const clock: Pick<Clock, 'turnEnd'> = { turnEnd: (callback) => void callbacks.push(callback) };
  const wire: Wire = {
    write: (batch) => batches.push(decodeBatch(batch).map((frame) => frame.response!.id)) > 0,
    end: () => undefined,
    destroy: () => undefined,
  };
  return {
    outbox: new Outbox(wire, clock, () => undefined),
    batches,
    endTurn: () => callbacks.splice(0).forEach((callback) => callback()),
  };
}

const answer = (outbox: Outbox, id: number, bytes: number): void =>
  void outbox.send(id, new Uint8Array(bytes), (first) => responseFrame(id, bytes, first));

test('small messages of a turn go together at its end', async () => {
  const { outbox, batches, endTurn } = gathering();
  answer(outbox, 1, 100);
  await Promise.resolve();
  answer(outbox, 2, 100);
  await Promise.resolve();
  assert.deepEqual(batches, []);
  endTurn();
  answer(outbox, 3, 100);
  assert.deepEqual(batches, [[1, 2]]);
  endTurn();
  endTurn();
  assert.deepEqual(batches, [[1, 2], [3]]);
});

test('once much waits, all of it goes without waiting for the end of the turn', async () => {
  const { outbox, batches, endTurn } = gathering();
  answer(outbox, 1, 100);
  answer(outbox, 2, GATHERED_BYTES_MAX);
  answer(outbox, 3, 100);
  await Promise.resolve();
  assert.deepEqual(batches, [[1, 2, 3]]);
  answer(outbox, 4, 100);
  await Promise.resolve();
  endTurn();
  assert.deepEqual(batches, [[1, 2, 3], [4]]);
});
