import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { LogFolder } from './log-folder.js';
import { createRotatingLog, type RotatingLog } from './rotating-log.js';

interface FakeFolder extends LogFolder {
  readonly files: Map<string, string>;
  isFull: boolean;
}

function fakeFolder(): FakeFolder {
  const files = new Map<string, string>();
  const folder: FakeFolder = {
    files,
    isFull: false,
    size: async (name) => files.get(name)?.length ?? 0,
    async append(name, bytes) {
      if (folder.isFull) throw new Error('ENOSPC');
      files.set(name, (files.get(name) ?? '') + Buffer.from(bytes).toString());
    },
    async rename(from, to) {
      files.set(to, files.get(from)!);
      files.delete(from);
    },
    remove: async (name) => void files.delete(name),
    list: async () => [...files.keys()],
  };
  return folder;
}

const DAY = 86_400_000;

function open(folder: LogFolder, clock: { now: number }, fileBytesMax = 10, totalBytesMax = 30): RotatingLog {
  return createRotatingLog({
    folder,
    name: 'c_server',
    fileBytesMax,
    totalBytesMax,
    now: () => clock.now,
    lostLine: (count) => `lost ${count}`,
  });
}

async function write(log: RotatingLog, ...lines: string[]): Promise<void> {
  for (const line of lines) {
    log.write(line);
    await log.flush();
  }
}

test('a file that is large enough is put aside, and the oldest of a log go when all are too large', async () => {
  const folder = fakeFolder();
  folder.files.set('c_server-2024-01-01-extra.json', 'not ours');
  const log = open(folder, { now: 0 });
  await write(log, '1234567', '2234567', '3234567', '4234567', '5234567');
  assert.deepEqual([...folder.files].sort(), [
    ['c_server-1970-01-01-3.json', '3234567\n'],
    ['c_server-1970-01-01-4.json', '4234567\n'],
    ['c_server-2024-01-01-extra.json', 'not ours'],
    ['c_server.json', '5234567\n'],
  ]);
});

test('a new day begins a new file', async () => {
  const folder = fakeFolder();
  const clock = { now: 0 };
  const log = open(folder, clock);
  await write(log, 'a');
  clock.now = DAY;
  await write(log, 'b');
  assert.deepEqual(
    [...folder.files],
    [
      ['c_server-1970-01-01-1.json', 'a\n'],
      ['c_server.json', 'b\n'],
    ],
  );
});

test('lines that the disk refuses are lost and counted, and the log goes on', async () => {
  const folder = fakeFolder();
  const log = open(folder, { now: 0 }, 1000, 2000);
  folder.isFull = true;
  await write(log, 'a', 'b');
  folder.isFull = false;
  await write(log, 'c', 'd');
  assert.equal(folder.files.get('c_server.json'), 'c\nlost 2\nd\n');
});

test('lines beyond what may wait are dropped', async () => {
  const folder = fakeFolder();
  const log = open(folder, { now: 0 }, 1e9, 2e9);
  for (let i = 0; i < 100; i++) log.write('x'.repeat(100_000));
  await log.flush();
  await write(log, 'end');
  const text = folder.files.get('c_server.json')!;
  assert.ok(text.length < 5e6 && /lost \d+\n/.test(text));
});
