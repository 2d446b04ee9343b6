import assert from 'node:assert/strict';
import { test } from 'node:test';
import { noDatabases } from './databases.js';
import { IngestCounters } from './ingest-counters.js';
import type { IngestItem } from './ingest-item.js';
import { PipelineSet } from './pipeline-set.js';
import { runItems } from './run-items.js';
import { fakeScripts } from './testing/pipeline-table.js';
import { TimeGuard } from './time-guard.js';

/** A guard whose time is over when the work has just been done. */
class LateGuard extends TimeGuard {
  override run(work: () => void): boolean {
    super.run(work);
    return false;
  }
}

function itemOf(i: number): IngestItem {
  return {
    source: Buffer.from(`{"n":${i}}`),
    pipelines: { first: 'p', final: null },
    index: 'a',
    id: String(i),
    routing: null,
    version: null,
    versionType: 'internal',
    ifSeqNo: null,
    ifPrimaryTerm: null,
    dynamicTemplates: null,
  };
}

test('a guard whose time is over behind the last document runs none again', async () => {
  const guard = new LateGuard();
  guard.isWanted = true;
  const set = new PipelineSet({ scripts: fakeScripts, databases: noDatabases(), guard, now: () => 0 });
  const pipelines = { p: { processors: [{ set: { field: 'a', value: 1 } }] } };
  set.update(pipelines);
  const clock = { now: () => 0, monotonic: () => 0, yield: () => Promise.resolve() };
  const total = new IngestCounters();
  const pipelinesOf = () => ({ first: null, final: null });
  const batch = { pipelines, items: [itemOf(1), itemOf(2)], pipelinesOf, user: null };
  const results = await runItems(batch, new AbortController().signal, { clock, guard, set, total });
  assert.deepEqual(
    results.map((result) => result.kind === 'written' && Buffer.from(result.source).toString()),
    ['{"n":1,"a":1}', '{"n":2,"a":1}'],
  );
});
