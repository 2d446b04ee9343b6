import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { responseFrame } from './frames.js';
import { FRAGMENT_BYTES } from './limits.js';
import type { Wire } from './network.js';
import { Outbox } from './outbox.js';

for (const bytes of [100, 3 * FRAGMENT_BYTES]) {
  test(`a message of ${bytes} bytes that is sent is held no longer`, async () => {
    let written = 0;
    const wire = { write: (batch: Uint8Array) => (written += batch.length) > 0 } as unknown as Wire;
    const outbox = new Outbox(wire, () => undefined);
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
    // What a turn has looked at through a weak reference lives until its end.
    for (let i = 0; i < 10 && sent.deref() !== undefined; i++) {
      await new Promise(setImmediate);
      collect();
    }
    assert.equal(sent.deref(), undefined);
  });
}
