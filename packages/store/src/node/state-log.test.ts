import assert from 'node:assert/strict';
import { test } from 'node:test';
import { memoryFiles, silentLog } from '@shoal/doors';
import { openStateLog, type StateLog } from './state-log.js';

const record = (kind: number, text: string) => ({ kind, payload: Buffer.from(text) });
const texts = (log: StateLog): string[] =>
  log.records.map(({ kind, payload }) => `${kind}:${Buffer.from(payload).toString()}`);

async function filled(files = memoryFiles()) {
  const log = await openStateLog('n', { files, log: silentLog, nodeId: 'n1' });
  await Promise.all([log.append([record(1, 'one')]), log.append([record(2, 'two'), record(3, 'three')])]);
  await log.close();
  return files;
}
const reopen = (files: ReturnType<typeof memoryFiles>) => openStateLog('n', { files, log: silentLog, nodeId: 'n1' });

async function edit(
  files: ReturnType<typeof memoryFiles>,
  name: string,
  change: (bytes: Uint8Array) => Uint8Array,
): Promise<void> {
  await files.replace(`n/${name}`, change((await files.read(`n/${name}`))!));
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

const MIRRORS = ['state/state-a', 'state/state-b'];
const ALL_FILES = [...MIRRORS, 'state.witness', 'node.id'];

test('a tail that was torn in both mirrors before anybody learned of it is cut', async () => {
  const files = await filled();
  const before = (await files.read('n/state/state-a'))!.length;
  const witness = (await files.read('n/state.witness'))!;
  const log = await reopen(files);
  await log.append([record(4, 'four')]);
  await log.close();
  // The power is lost in the middle of the append: the witness was not written yet.
  for (const [i, name] of MIRRORS.entries()) await edit(files, name, (bytes) => bytes.subarray(0, before + 3 + 2 * i));
  await files.replace('n/state.witness', witness);
  const again = await reopen(files);
  assert.deepEqual(texts(again), ['1:one', '2:two', '3:three']);
  await again.append([record(5, 'five')]);
  await again.close();
  assert.deepEqual(texts(await reopen(files)), ['1:one', '2:two', '3:three', '5:five']);
});

test('a witness that is older than the log, as after a loss of power, refuses nothing', async () => {
  const files = await filled();
  const witness = (await files.read('n/state.witness'))!;
  const log = await reopen(files);
  await log.append([record(4, 'four')]);
  await log.close();
  await files.replace('n/state.witness', witness);
  const again = await reopen(files);
  assert.deepEqual(texts(again), ['1:one', '2:two', '3:three', '4:four']);
  await again.compact([record(9, 'all')]);
  await again.close();
  await files.replace('n/state.witness', witness);
  assert.deepEqual(texts(await reopen(files)), ['9:all']);
});

const CUTS: readonly [string, (bytes: Uint8Array, lengths: readonly number[]) => Uint8Array][] = [
  ['to nothing', () => new Uint8Array(0)],
  ['to half', (bytes) => bytes.subarray(0, bytes.length >> 1)],
  ['by a byte', (bytes) => bytes.subarray(0, -1)],
  ['at the end of a record', (bytes, lengths) => bytes.subarray(0, lengths[1])],
];

for (const [how, cut] of CUTS)
  test(`a log of which both mirrors were cut ${how} refuses to open, and names the files`, async () => {
    const files = memoryFiles();
    const log = await reopen(files);
    const lengths: number[] = [];
    for (const text of ['one', 'two', 'three']) {
      await log.append([record(1, text)]);
      lengths.push(log.sizeInBytes());
    }
    await log.close();
    for (const name of MIRRORS) await edit(files, name, (bytes) => cut(bytes, lengths));
    await assert.rejects(reopen(files), {
      type: 'corrupt_index_exception',
      message: /\[n\/state\/state-a\] and \[n\/state\/state-b\] is not whole .* restore them from a copy/,
    });
  });

test('a log that was removed refuses to open, with its witness or without it', async () => {
  for (const removed of [MIRRORS, [...MIRRORS, 'state.witness']]) {
    const files = await filled();
    for (const name of removed) await files.remove(`n/${name}`);
    await assert.rejects(reopen(files), { type: 'corrupt_index_exception' });
  }
});

test('an older copy of the log refuses to open', async () => {
  const files = await filled();
  const old = await Promise.all(MIRRORS.map(async (name) => (await files.read(`n/${name}`))!));
  const log = await reopen(files);
  await log.append([record(4, 'four')]);
  await log.close();
  for (const [i, name] of MIRRORS.entries()) await files.replace(`n/${name}`, old[i]!);
  await assert.rejects(reopen(files), { message: /ends at record \[3\], but record \[4\] was synced/ });
});

test('the log of another node refuses to open, whatever else comes from there', async () => {
  for (const swapped of [MIRRORS, [...MIRRORS, 'state.witness'], ['node.id'], ['state.witness']]) {
    const files = await filled();
    const other = memoryFiles();
    const log = await openStateLog('n', { files: other, log: silentLog, nodeId: 'n2' });
    for (const text of ['one', 'two', 'three', 'four']) await log.append([record(1, text)]);
    await log.close();
    for (const name of swapped) await files.replace(`n/${name}`, (await other.read(`n/${name}`))!);
    await assert.rejects(reopen(files), { type: 'corrupt_index_exception' }, `${swapped}`);
  }
});

test('one mirror of another node is replaced by the own one', async () => {
  const files = await filled();
  const other = memoryFiles();
  const log = await openStateLog('n', { files: other, log: silentLog, nodeId: 'n2' });
  for (let i = 0; i < 9; i++) await log.append([record(1, 'foreign')]);
  await log.close();
  await files.replace('n/state/state-a', (await other.read('n/state/state-a'))!);
  assert.deepEqual(texts(await reopen(files)), ['1:one', '2:two', '3:three']);
});

test('a witness that is damaged or lost is made again only beside two whole mirrors', async () => {
  for (const damage of [(bytes: Uint8Array) => bytes.fill(1), () => new Uint8Array(0)]) {
    const files = await filled();
    await edit(files, 'state.witness', damage);
    await (await reopen(files)).close();
    for (const name of MIRRORS) await edit(files, name, (bytes) => bytes.subarray(0, bytes.length - 3));
    await assert.rejects(reopen(files), { type: 'corrupt_index_exception' });
    await edit(files, 'state.witness', damage);
    await assert.rejects(reopen(files), { message: /its witness \[n\/state.witness\] is lost/ });
  }
});

test('any single file that is cut, flipped, emptied or removed costs nothing or refuses to open', async () => {
  const whole = await filled();
  for (const name of ALL_FILES) {
    const { length } = (await whole.read(`n/${name}`))!;
    for (let at = 0; at <= length; at++)
      for (const change of [flip(at), (bytes: Uint8Array) => bytes.subarray(0, at)]) {
        const files = await filled();
        await edit(files, name, change);
        const found = await reopen(files).then(texts, (error: { type: string }) => error.type);
        if (found === 'corrupt_index_exception') assert.equal(name, 'node.id');
        else assert.deepEqual(found, ['1:one', '2:two', '3:three'], `${name} at ${at}`);
      }
  }
});

test('a log of an earlier build, without owner and witness, is taken over and protected from then on', async () => {
  const files = await filled();
  const log = await reopen(files);
  const { length } = (await files.read('n/state/state-a'))!;
  await log.close();
  // Earlier builds wrote no first record of the kind 0, which is 8 + 4 bytes here.
  for (const name of MIRRORS) await edit(files, name, (bytes) => bytes.subarray(12));
  await files.remove('n/state.witness');
  await files.replace('n/node.id', Buffer.from('n1\n'));
  await (await reopen(files)).close();
  assert.equal((await files.read('n/state/state-b'))!.length, length);
  for (const name of MIRRORS) await files.replace(`n/${name}`, new Uint8Array(0));
  await assert.rejects(reopen(files), { type: 'corrupt_index_exception' });
});

test('an empty log beside shards refuses to open even where no build has left a witness', async () => {
  const files = memoryFiles();
  await files.replace('n/indices/uuid/0/witness', new Uint8Array(1));
  await assert.rejects(reopen(files), { message: /is empty, but there are shards beside it/ });
});

test('one damaged or lost mirror is repaired from the other', async () => {
  for (const change of [flip(10), (bytes: Uint8Array) => bytes.subarray(0, 5), () => new Uint8Array(0)]) {
    const files = await filled();
    await edit(files, 'state/state-a', change);
    await (await reopen(files)).close();
    await edit(files, 'state/state-b', () => new Uint8Array(0));
    assert.deepEqual(texts(await reopen(files)), ['1:one', '2:two', '3:three']);
  }
});

test('a bad record in the middle of both mirrors refuses to open', async () => {
  const files = await filled();
  for (const name of ['state/state-a', 'state/state-b']) await edit(files, name, flip(10));
  await assert.rejects(reopen(files), { type: 'corrupt_index_exception' });
});

test('a compaction that reached one mirror only goes on with the newer one', async () => {
  const files = await filled();
  const old = (await files.read('n/state/state-b'))!;
  const log = await reopen(files);
  await log.compact([record(9, 'all')]);
  await log.close();
  await files.replace('n/state/state-b', old);
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
  const log = await openStateLog('n', { files, log: silentLog, nodeId: 'n1' });
  await log.append([record(1, 'one')]);
  isFull = true;
  await assert.rejects(log.append([record(2, 'lost')]), { type: 'i_o_exception' });
  isFull = false;
  await log.append([record(3, 'three')]);
  await log.close();
  assert.deepEqual(texts(await reopen(inner)), ['1:one', '3:three']);
});

/** Files with a page cache: what was not synced is gone after a loss of power, as is what a failed sync dropped. */
function cachedFiles() {
  const inner = memoryFiles();
  const onDisk = new Map<string, Uint8Array>();
  const dropped = new Set<string>();
  const device = { failsSyncs: false };
  const files = {
    ...inner,
    async replace(path: string, bytes: Uint8Array) {
      await inner.replace(path, bytes);
      onDisk.set(path, bytes.slice());
      dropped.delete(path);
    },
    async open(path: string) {
      const file = await inner.open(path);
      return {
        ...file,
        async sync() {
          if (device.failsSyncs) dropped.add(path);
          if (device.failsSyncs) throw new Error('EIO: i/o error, fdatasync');
          if (!dropped.has(path)) onDisk.set(path, file.readAt(0, file.size()).slice());
        },
      };
    },
  };
  const losePower = async (): Promise<void> => {
    for (const [path, bytes] of onDisk) await inner.replace(path, bytes);
  };
  return { files, device, losePower };
}

test('records found that no sync has confirmed are written again before the node goes on with them', async () => {
  for (const failsSyncs of [true, false]) {
    const { files, device, losePower } = cachedFiles();
    const first = await openStateLog('n', { files, log: silentLog, nodeId: 'n1' });
    await first.append([record(1, 'one')]);
    device.failsSyncs = true;
    await assert.rejects(first.append([record(2, 'two')]), { type: 'i_o_exception' });
    device.failsSyncs = failsSyncs;
    const second = await openStateLog('n', { files, log: silentLog, nodeId: 'n1' }).finally(() => {
      device.failsSyncs = false;
    });
    assert.deepEqual(texts(second), ['1:one', '2:two']);
    await second.append([record(3, 'three')]);
    await losePower();
    assert.deepEqual(texts(await reopen(files)), ['1:one', '2:two', '3:three']);
  }
});

test('on a full disk the records found are synced where they are', async () => {
  const { files, losePower } = cachedFiles();
  const first = await openStateLog('n', { files, log: silentLog, nodeId: 'n1' });
  await first.append([record(1, 'one')]);
  await first.close();
  const witness = (await files.read('n/state.witness'))!;
  const next = await reopen(files);
  await next.append([record(2, 'two')]);
  await next.close();
  await files.replace('n/state.witness', witness);
  const replace = async (): Promise<void> => {
    throw Object.assign(new Error('ENOSPC: no space left on device, open'), { code: 'ENOSPC' });
  };
  const full = await openStateLog('n', { files: { ...files, replace }, log: silentLog, nodeId: 'n1' });
  assert.deepEqual(texts(full), ['1:one', '2:two']);
  await full.close();
  await losePower();
  assert.deepEqual(texts(await reopen(files)), ['1:one', '2:two']);
});
