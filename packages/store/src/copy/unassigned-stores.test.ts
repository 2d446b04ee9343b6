import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fakeClock, type KeyValueStores, memoryFiles, memoryStores, seededRandom, silentLog } from '@shoal/doors';
import { readAtRest } from './at-rest.js';
import { createBlockCache } from '../commit/block-cache.js';
import { createUnassignedStores } from './unassigned-stores.js';
import { openFlag, restPath } from '../shard-paths.js';
import type { Operation } from '../log/operation.js';
import { openShardStore } from '../open-shard-store.js';

const PATH = 'shard';

function world() {
  const memory = memoryStores();
  const counts = { opened: 0, open: 0 };
  const stores: KeyValueStores = {
    ...memory,
    async open(location) {
      counts.opened++;
      counts.open++;
      const store = await memory.open(location);
      return {
        ...store,
        close() {
          counts.open--;
          return store.close();
        },
      };
    },
  };
  const clock = fakeClock();
  const doors = {
    stores,
    files: memoryFiles(),
    clock,
    random: seededRandom(7),
    log: silentLog,
    cache: createBlockCache(1 << 20),
  };
  return { doors, counts, clock };
}

async function stored({ doors }: ReturnType<typeof world>): Promise<void> {
  const store = await openShardStore({ ...doors, path: PATH, identity: { allocationId: 'a' } });
  await store.beginTerm(3);
  await store.close();
}

const operation = (seqNo: number): Operation => ({
  kind: 'index',
  seqNo,
  primaryTerm: 2,
  version: 1,
  id: `${seqNo}`,
  routing: null,
  autoId: false,
  created: true,
  opId: null,
  atMs: 0,
  ignored: [],
  source: Buffer.from('{}'),
});

/** Writes a store and removes its description, so that it has to be opened to be described. */
async function storedUnknown(made: ReturnType<typeof world>): Promise<void> {
  await stored(made);
  await made.doors.files.remove(restPath(PATH));
}

test('a store that was closed in order is not opened to be looked into', async () => {
  const made = world();
  await stored(made);
  const info = await createUnassignedStores(made.doors).inspect(PATH);
  assert.deepEqual([info.allocationId, info.term, info.maxSeqNo, made.counts.opened], ['a', 3, -1, 1]);
});

test('a store says of itself at rest what an open of it finds', async () => {
  const made = world();
  const store = await openShardStore({ ...made.doors, path: PATH, identity: { allocationId: 'a' } });
  await store.beginTerm(2);
  for (const seqNo of [0, 1]) store.append(operation(seqNo));
  await store.synced();
  await store.close({ docs: 2 });
  const atRest = await readAtRest(made.doors.files, PATH);
  assert.deepEqual(atRest!.note, { docs: 2 });
  await made.doors.files.remove(restPath(PATH));
  assert.deepEqual(JSON.parse(JSON.stringify(await createUnassignedStores(made.doors).inspect(PATH))), atRest!.info);
});

test('nothing is said of a store at rest that is open, damaged, torn or not what its witness has seen', async () => {
  const made = world();
  const { files } = made.doors;
  const knows = async (): Promise<boolean> => (await readAtRest(files, PATH)) !== null;
  assert.equal(await knows(), false);
  await stored(made);
  assert.equal(await knows(), true);
  const store = await openShardStore({ ...made.doors, path: PATH });
  assert.deepEqual([await knows(), await files.read(restPath(PATH))], [false, null]);
  await store.close();
  await files.replace(`${PATH}/marker`, new Uint8Array(1));
  assert.equal(await knows(), false);
  await files.remove(`${PATH}/marker`);
  const content = (await files.read(restPath(PATH)))!;
  await files.replace(restPath(PATH), content.subarray(0, content.length - 9));
  assert.equal(await knows(), false);
  await files.replace(restPath(PATH), content);
  assert.equal(await knows(), true);
  await files.remove(`${PATH}/witness`);
  assert.equal(await knows(), false);
});

test('a store that was looked into is opened once for the copy that comes after', async () => {
  const { doors, counts, ...rest } = world();
  await storedUnknown({ doors, counts, ...rest });
  const unassignedStores = createUnassignedStores(doors);
  const info = await unassignedStores.inspect(PATH);
  assert.deepEqual([info.allocationId, info.term, info.maxSeqNo], ['a', 3, -1]);
  assert.deepEqual(await unassignedStores.inspect(PATH), info);
  const store = await openShardStore({ ...doors, path: PATH, unassignedStores, identity: { allocationId: 'b' } });
  assert.deepEqual(
    [store.identity.allocationId, store.identity.previousAllocationId, store.currentTerm],
    ['b', 'a', 3],
  );
  assert.equal(counts.opened, 2);
  assert.equal(await unassignedStores.take(PATH), null);
  await store.close();
  assert.equal(counts.open, 0);
});

test('a store that is not the wanted one is refused and closed', async () => {
  const { doors, counts, ...rest } = world();
  await storedUnknown({ doors, counts, ...rest });
  const unassignedStores = createUnassignedStores(doors);
  await unassignedStores.inspect(PATH);
  await assert.rejects(
    openShardStore({ ...doors, path: PATH, unassignedStores, identity: { allocationId: 'b', existing: 'own' } }),
    { message: /store is that of copy \[a\]/ },
  );
  assert.equal(counts.open, 0);
});

test('stores that no copy comes for are closed after a while, before their removal and at the end', async () => {
  const { doors, counts, clock } = world();
  await storedUnknown({ doors, counts, clock });
  const unassignedStores = createUnassignedStores(doors);
  await unassignedStores.inspect(PATH);
  assert.notEqual(await doors.files.read(openFlag(PATH)), null);
  clock.advance(300_000);
  await unassignedStores.drop(PATH);
  assert.deepEqual([counts.open, await doors.files.read(openFlag(PATH))], [0, null]);
  await unassignedStores.inspect(PATH);
  await unassignedStores.drop(PATH);
  await unassignedStores.inspect(PATH);
  await unassignedStores.close();
  assert.equal(counts.open, 0);
  await unassignedStores.inspect(PATH);
  assert.equal(counts.open, 0, 'one that was being looked into at the end is closed too');
});

test('a damaged store is marked when it is looked into, and refused from then on', async () => {
  const { doors, counts, clock } = world();
  await storedUnknown({ doors, counts, clock });
  await doors.files.remove(`${PATH}/witness`);
  const unassignedStores = createUnassignedStores(doors);
  await assert.rejects(unassignedStores.inspect(PATH), {
    type: 'corrupt_index_exception',
    message: 'the witness of the log is missing',
  });
  await assert.rejects(unassignedStores.inspect(PATH), {
    type: 'corrupt_index_exception',
    message: /marked as damaged/,
  });
  assert.equal(counts.open, 0);
});
