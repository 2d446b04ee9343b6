import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ClusterService } from '@shoal/cluster';
import type { Coordinator, WriteOperation } from '@shoal/coordinator';
import { errors } from '@shoal/errors';
import { parseJson, stringify } from '@shoal/json';
import { INTERNAL_INDEX, ProgressStore, type StoredProgress } from './progress-store.js';
import { freshProgress } from './transform-progress.js';

interface Kept {
  readonly seqNo: number;
  readonly source: unknown;
}

const answer = (json: object) => ({ chunks: [Buffer.from(stringify(json))] });

/** A store over one document in memory, whose writes are checked by sequence number as those of a shard are. */
function storeInMemory(): ProgressStore {
  let kept: Kept | null = null;
  const coordinator = {
    get: async () =>
      answer(
        kept === null ? { found: false } : { found: true, _seq_no: kept.seqNo, _primary_term: 1, _source: kept.source },
      ),
    write: async ({ operation: { ifSeqNo, op, source } }: { operation: WriteOperation }) => {
      const isConflict = op === 'create' ? kept !== null : kept?.seqNo !== ifSeqNo;
      if (isConflict) throw errors.versionConflict('version conflict');
      kept = { seqNo: (kept?.seqNo ?? -1) + 1, source: parseJson(source!) };
      return answer({ _seq_no: kept.seqNo, _primary_term: 1 });
    },
  };
  const state = { indices: new Map([['u', { name: INTERNAL_INDEX, uuid: 'u', aliases: {} }]]) };
  const cluster = { state: () => state };
  return new ProgressStore(cluster as unknown as ClusterService, coordinator as unknown as Coordinator);
}

const at = (stored: StoredProgress, checkpoint: number): StoredProgress => ({
  ...stored,
  progress: { ...freshProgress(), checkpoint },
});

test('an owner that was replaced cannot write, from when the next one has its place', async () => {
  const store = storeInMemory();
  const first = await store.save('t', at(await store.claim('t', 3), 1));
  const second = await store.claim('t', 4);
  assert.deepEqual([second.progress.checkpoint, second.allocationId], [1, 4]);
  await assert.rejects(store.save('t', at(first, 9)), { type: 'version_conflict_engine_exception' });
  assert.equal((await store.save('t', at(second, 2))).progress.checkpoint, 2);
  assert.equal((await store.load('t'))!.progress.checkpoint, 2);
});

test('an owner that was replaced cannot take the place back', async () => {
  const store = storeInMemory();
  await store.claim('t', 4);
  await assert.rejects(store.claim('t', 3), { type: 'version_conflict_engine_exception' });
  assert.equal((await store.load('t'))!.allocationId, 4);
});
