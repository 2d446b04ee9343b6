import { noDatabases } from './databases.js';
import { createIngest } from './ingest.js';
import type { IngestItem } from './ingest-item.js';
import { createScripts } from './scripts.js';

// CPU time of a document of 170 bytes in a pipeline: parsing, processors, printing.

const clock = {
  now: () => 1_700_000_000_000,
  monotonic: () => performance.now(),
  yield: () => Promise.resolve(),
};
const ingest = createIngest({ clock, scripts: createScripts(() => ({})), databases: noDatabases() });
const NO_PIPELINES = { first: null, final: null };
const DOCUMENTS = 1000;

function itemOf(i: number, pipeline: string): IngestItem {
  const source = { k: `key${i}`, b: i, d: i * 1e6, m: 'GET /index.html HTTP/1.1 200 of some length', tags: ['a', 'b'] };
  return {
    source: Buffer.from(JSON.stringify({ ...source, host: { name: 'h1', ip: '10.0.0.1' } })),
    pipelines: { first: pipeline, final: null },
    index: 'a',
    id: null,
    routing: null,
    version: null,
    versionType: 'internal',
    ifSeqNo: null,
    ifPrimaryTerm: null,
    dynamicTemplates: null,
  };
}

const pipelines = {
  'condition that does not hold': { processors: [{ drop: { if: 'ctx.b == -1' } }] },
  'five plain processors': {
    processors: [
      { set: { field: 'a.b', value: 'x' } },
      { set: { field: 't', value: '{{{k}}}-{{b}}' } },
      { rename: { field: 'k', target_field: 'key' } },
      { remove: { field: 'd' } },
      { set: { field: 'c', copy_from: 'a.b' } },
    ],
  },
  'condition and script': {
    processors: [
      { set: { if: "ctx.b > 3 && ctx.k != 'zz'", field: 'x', value: 1 } },
      { script: { source: "ctx.y = ctx.b * 2; ctx.z = ctx.k + '!'" } },
    ],
  },
};

async function microseconds(pipeline: string, rounds: number): Promise<number> {
  const items = Array.from({ length: DOCUMENTS }, (_, i) => itemOf(i, pipeline));
  const { signal } = new AbortController();
  const from = process.cpuUsage();
  for (let i = 0; i < rounds; i++)
    await ingest.run({ pipelines, items, pipelinesOf: () => NO_PIPELINES, user: null }, signal);
  const { user, system } = process.cpuUsage(from);
  return (user + system) / (rounds * DOCUMENTS);
}

for (const name of Object.keys(pipelines)) {
  await microseconds(name, 20);
  const times: number[] = [];
  for (let i = 0; i < 7; i++) times.push(await microseconds(name, 10));
  console.log(`${name}: ${times.sort((a, b) => a - b)[3]!.toFixed(1)} us a document`);
}
