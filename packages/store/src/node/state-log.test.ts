import assert from 'node:assert/strict';
import { test } from 'node:test';
import { memoryFiles, silentLog } from '@shoal/doors';
import { openStateLog, type StateLog } from './state-log.js';

const record = (kind: number, text: string) => ({ kind, payload: Buffer.from(text) });
const texts = (log: StateLog): string[] =>
  log.records.map(({ kind, payload }) => `${kind}:${Buffer.from(payload).toString()}`);

async function filled(files = memoryFiles()) {
  const log = await openStateLog('state', { files, log: silentLog });
  await Promise.all([log.append([record(1, 'one')]), log.append([record(2, 'two'), record(3, 'three')])]);
  await log.close();
  return files;
}
const reopen = (files: ReturnType<typeof memoryFiles>) => openStateLog('state', { files, log: silentLog });

async function edit(
  files: ReturnType<typeof memoryFiles>,
  name: string,
  change: (bytes: Uint8Array) => Uint8Array,
): Promise<void> {
  await files.replace(`state/${name}`, change((await files.read(`state/${name}`))!));
}
const flip = (at: number) => (bytes: Uint8Array) => bytes.map((byte, i) => (i === at ? byte ^ 1 : byte));

test('records come back in order, appended ones behind them', async () => {
  const files = await filled();
  const log = await reopen(files);
  assert.deepEqual(texts(log), ['1:one', '2:two', '3:three']);
  await log.append([record(4, 'four')]);
  await log.close();
  assert.deepEqual(texts(await reopen(files)), ['1:one', '2:two', '3:three', '4:four']);
});

test('a compacted log holds the new records only', async () => {
  const files = await filled();
  const log = await reopen(files);
  await log.compact([record(9, 'all')]);
  await log.append([record(1, 'more')]);
  await log.close();
  assert.deepEqual(texts(await reopen(files)), ['9:all', '1:more']);
});

test('a torn tail in both mirrors is cut', async () => {
  const files = await filled();
  for (const name of ['state-a', 'state-b']) await edit(files, name, (bytes) => bytes.subarray(0, bytes.length - 3));
  const log = await reopen(files);
  assert.deepEqual(texts(log), ['1:one', '2:two']);
  await log.append([record(5, 'five')]);
  await log.close();
  assert.deepEqual(texts(await reopen(files)), ['1:one', '2:two', '5:five']);
});

test('one damaged or lost mirror is repaired from the other', async () => {
  for (const change of [flip(10), (bytes: Uint8Array) => bytes.subarray(0, 5), () => new Uint8Array(0)]) {
    const files = await filled();
    await edit(files, 'state-a', change);
    await (await reopen(files)).close();
    await edit(files, 'state-b', () => new Uint8Array(0));
    assert.deepEqual(texts(await reopen(files)), ['1:one', '2:two', '3:three']);
  }
});

test('a bad record in the middle of both mirrors refuses to open', async () => {
  const files = await filled();
  for (const name of ['state-a', 'state-b']) await edit(files, name, flip(10));
  await assert.rejects(reopen(files), { type: 'corrupt_index_exception' });
});

test('a compaction that reached one mirror only goes on with the newer one', async () => {
  const files = await filled();
  const old = (await files.read('state/state-b'))!;
  const log = await reopen(files);
  await log.compact([record(9, 'all')]);
  await log.close();
  await files.replace('state/state-b', old);
  assert.deepEqual(texts(await reopen(files)), ['9:all']);
});

test('a full disk refuses an append; later ones go on as if it had not been', async () => {
  const inner = memoryFiles();
  let isFull = false;
  const files = {
    ...inner,
    async open(path: string) {
      const file = await inner.open(path);
      return {
        ...file,
        writeAt(position: number, bytes: Uint8Array) {
          // On a full disk the second mirror gets only a part of the write.
          file.writeAt(position, isFull && path.endsWith('b') ? bytes.subarray(0, 5) : bytes);
          if (isFull && path.endsWith('b')) throw new Error('ENOSPC: no space left on device, write');
        },
      };
    },
  };
  const log = await openStateLog('state', { files, log: silentLog });
  await log.append([record(1, 'one')]);
  isFull = true;
  await assert.rejects(log.append([record(2, 'lost')]), { type: 'i_o_exception' });
  isFull = false;
  await log.append([record(3, 'three')]);
  await log.close();
  assert.deepEqual(texts(await reopen(inner)), ['1:one', '3:three']);
});
