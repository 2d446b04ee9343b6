import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fakeClock } from '@shoal/doors';
import type { ShardLeases, ShardLog } from '@shoal/shard';
import type { CopyStream } from './copy-stream.js';
import { LeaseBook } from './lease-book.js';

/** Creates the leases of a shard with `docs` documents and `operations` operations. */
function bookOf(docs: number, operations: number, periodMs = () => 12 * 3_600_000) {
  const clock = fakeClock();
  const log = {
    leases: [] as ShardLeases,
    leasesVersion: 0,
    setLeases: (leases: ShardLeases) => void (log.leasesVersion++, (log.leases = leases)),
    maxSeqNo: operations - 1,
    store: {
      commit: { segments: [{ maxDoc: docs + 5, deletedDocs: 5 }] },
      globalCheckpoint: operations - 1,
      persistedSeqNo: () => operations - 1,
    },
  };
  const book = new LeaseBook(log as unknown as ShardLog, clock, periodMs);
  const nodes = (): string[] => log.leases.map(({ id }) => id);
  return { clock, log, book, nodes };
}

const streamOf = (nodeId: string, localCheckpoint: number): CopyStream =>
  ({ nodeId, localCheckpoint, sync: async () => undefined }) as unknown as CopyStream;

test('operations are kept for a copy that is away as long as they are at most a quarter of the documents', () => {
  const { clock, log, book, nodes } = bookOf(8_000, 10_000);
  book.renew('away', 8_000);
  book.follow([]);
  assert.deepEqual(nodes(), ['peer_recovery/away']);
  log.maxSeqNo++;
  clock.advance(1_000);
  book.follow([]);
  assert.deepEqual(nodes(), []);
});

test('a thousand operations are kept of a shard of any size', () => {
  const { book, nodes } = bookOf(10, 1_000);
  book.renew('away', 0);
  book.follow([]);
  assert.deepEqual(nodes(), ['peer_recovery/away']);
});

test('copies that follow, and those that take files to follow after, keep theirs whatever they lack', () => {
  const { clock, book, nodes } = bookOf(10, 5_000);
  book.renew('recovers', 0);
  book.promise('takes-files', 0);
  book.follow([streamOf('recovers', -1), streamOf('behind', 10)]);
  assert.deepEqual(nodes().sort(), ['peer_recovery/behind', 'peer_recovery/recovers', 'peer_recovery/takes-files']);
  clock.advance(3_600_000);
  book.follow([streamOf('behind', 4_999)]);
  assert.deepEqual(nodes(), ['peer_recovery/behind']);
});

test('a copy that does not come back for twelve hours is given up', () => {
  const { clock, book, nodes } = bookOf(10, 10);
  book.renew('away', 5);
  clock.advance(12 * 3_600_000);
  book.follow([]);
  assert.deepEqual(nodes(), []);
});

test('the time that a copy is waited for may change, and holds for those that are away already', () => {
  let periodMs = 12 * 3_600_000;
  const { clock, book, nodes } = bookOf(10, 10, () => periodMs);
  book.renew('away', 5);
  clock.advance(60_000);
  book.follow([]);
  assert.deepEqual(nodes(), ['peer_recovery/away']);
  periodMs = 30_000;
  clock.advance(1_000);
  book.follow([]);
  assert.deepEqual(nodes(), []);
});

test('copies that are assigned, and those that take files, keep theirs however short the time is', () => {
  const { clock, book, nodes } = bookOf(10, 5_000, () => 0);
  book.renew('recovers', 0);
  book.promise('takes-files', 0);
  book.renew('away', 4_999);
  clock.advance(60_000);
  book.follow([streamOf('recovers', -1), streamOf('behind', 10)]);
  assert.deepEqual(nodes().sort(), ['peer_recovery/behind', 'peer_recovery/recovers', 'peer_recovery/takes-files']);
});

test('copies are told the leases with the count of their changes', () => {
  const { log, book } = bookOf(10, 10);
  const told: unknown[] = [];
  const stream = {
    nodeId: 'n',
    localCheckpoint: 9,
    sync: async ({ leases, leasesVersion }: { leases: ShardLeases; leasesVersion: number }) =>
      void told.push([leases.length, leasesVersion]),
  } as unknown as CopyStream;
  book.renew('away', 5);
  book.follow([stream]);
  assert.deepEqual([told, log.leasesVersion], [[[2, 2]], 2]);
});
