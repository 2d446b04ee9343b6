import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Files, OpenFile } from '@shoal/doors';
import { openStateWitness } from './state-witness.js';

interface HeldSync {
  readonly promise: Promise<void>;
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}

function heldSync(): HeldSync {
  let [resolve, reject]: [HeldSync['resolve'], HeldSync['reject']] = [() => undefined, () => undefined];
  const promise = new Promise<void>((done, fail) => ([resolve, reject] = [done, fail]));
  return { promise, resolve, reject };
}

/** A file whose syncs end when the test says so. */
function heldFile(): { files: Files; syncs: HeldSync[] } {
  const syncs: HeldSync[] = [];
  const file: Partial<OpenFile> = {
    writeAt: () => undefined,
    sync: () => {
      syncs.push(heldSync());
      return syncs.at(-1)!.promise;
    },
    close: () => undefined,
  };
  const files: Partial<Files> = {
    read: () => Promise.resolve(null),
    replace: () => Promise.resolve(),
    open: () => Promise.resolve(file as OpenFile),
  };
  return { files: files as Files, syncs };
}

const witness = (index: number): { index: number; link: Uint8Array } => ({ index, link: new Uint8Array(4) });

test('a write in the turn in which a sync ends is synced too', async () => {
  const { files, syncs } = heldFile();
  const opened = await openStateWitness(files, 'witness');
  opened.write(witness(1));
  const first = syncs[0]!.promise.then(() => opened.write(witness(2)));
  syncs[0]!.resolve();
  await first;
  assert.equal(syncs.length, 2);
  let isSynced = false;
  const second = opened.sync().then(() => (isSynced = true));
  await Promise.resolve();
  assert.equal(isSynced, false);
  syncs[1]!.resolve();
  await second;
});

test('a sync that failed is done again', async () => {
  const { files, syncs } = heldFile();
  const opened = await openStateWitness(files, 'witness');
  opened.write(witness(1));
  const failed = opened.sync();
  syncs[0]!.reject(new Error('the disk is full'));
  await assert.rejects(failed, /the disk is full/);
  const again = opened.sync();
  syncs[1]!.resolve();
  await again;
  assert.equal(syncs.length, 2);
});
