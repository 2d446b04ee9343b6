// Five times the load that a node can do: what it takes is answered as before, the rest is refused at once with 429.
// Usage: node test/drills/overload.mjs [seconds=3] [times=5] [documents=30000]
//   A search takes about 0.5 ms with 30,000 documents and 1.3 ms with 100,000. The cheaper a search, the more requests
//   are five times as many. What the node can do and what it does under overload are measured in turns of that many
//   seconds each, because other users of a machine change its speed within seconds; the median ratio is printed.
import fs from 'node:fs';
import { fileURLToPath } from 'node:url';
import { call, startNode } from '../node-process.mjs';
import { closedLoop, openLoop, percentile, requestBytes } from './load.mjs';

/**
 * Enough for what is sent within the longest wait: a client that waits for a free one would not send what it should.
 */
const CONNECTIONS = 2500;

async function fill(node, documents) {
  await call(node, 'PUT', '/load', {
    settings: { number_of_replicas: 0, refresh_interval: '-1' },
    mappings: { properties: { k: { type: 'keyword' }, n: { type: 'long' }, t: { type: 'text' } } },
  });
  for (let from = 0; from < documents; from += 5000) {
    const lines = Array.from(
      { length: Math.min(5000, documents - from) },
      (_, i) =>
        `{"index":{}}\n{"k":"k${(from + i) % 500}","n":${from + i},"t":"word${(from + i) % 97} ` +
        `more${(from + i) % 13}"}\n`,
    );
    const { body } = await call(node, 'POST', '/load/_bulk', lines.join(''));
    if (body.errors) throw new Error('the documents were not indexed');
  }
  // As most documents are: in segments. Sealing them would be measured otherwise.
  await call(node, 'POST', '/load/_flush');
  await call(node, 'POST', '/load/_refresh');
}

/** Searches that no cache answers. */
function searches(documents) {
  let i = 0;
  return () => {
    const from = (i = (i + 7919) % documents);
    return requestBytes('POST', '/load/_search?request_cache=false', {
      size: 0,
      query: { range: { n: { gte: from % 1000, lt: documents - (from % 997) } } },
      aggs: { k: { terms: { field: 'k', size: 5 }, aggs: { n: { avg: { field: 'n' } } } } },
    });
  };
}

const round = (figures) =>
  Object.fromEntries(Object.entries(figures).map(([name, value]) => [name, Math.round(value * 10) / 10]));

/** Seconds of processor that a process has taken. */
function processorSeconds(pid) {
  const fields = fs.readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ');
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

/**
 * What `run` measures, with the processors that the node and this generator of load have taken meanwhile: both share
 * them.
 */
async function withProcessors(pid, run) {
  const before = [performance.now(), processorSeconds(pid), processorSeconds(process.pid)];
  const measured = await run();
  const seconds = (performance.now() - before[0]) / 1000;
  return {
    ...measured,
    nodeProcessors: (processorSeconds(pid) - before[1]) / seconds,
    ownProcessors: (processorSeconds(process.pid) - before[2]) / seconds,
  };
}

const TURNS = 5;

/** Runs the drill on a node of its own; returns what was measured in each turn. */
export async function overload({ seconds, times, documents, turns = TURNS, print = () => undefined }) {
  const node = await startNode({ settings: { 'memory.limit': '512mb' } });
  try {
    await fill(node, documents);
    const next = searches(documents);
    await closedLoop(node.port, next, 8, 2);
    const measured = [];
    for (let turn = 0; turn < turns; turn++) {
      const peak = await withProcessors(node.pid, () => closedLoop(node.port, next, 8, seconds));
      const over = await withProcessors(node.pid, () =>
        openLoop(node.port, next, peak.goodPerSecond * times, seconds, CONNECTIONS),
      );
      print('peak, 8 clients', round(peak));
      print(`${times} times as much`, round(over));
      measured.push({ peak, over });
    }
    const again = await closedLoop(node.port, next, 8, Math.min(seconds, 3));
    print('afterwards, 8 clients', round(again));
    const { body } = await call(node, 'GET', '/_nodes/stats/thread_pool');
    return { measured, again, pool: Object.values(body.nodes)[0].thread_pool.search };
  } finally {
    await node.stop();
    fs.rmSync(node.data, { recursive: true, force: true });
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [seconds = 3, times = 5, documents = 30_000] = process.argv.slice(2).map(Number);
  const { measured } = await overload({
    seconds,
    times,
    documents,
    print: (name, figures) => process.stdout.write(`${name}: ${JSON.stringify(figures)}\n`),
  });
  const percents = measured.map(({ peak, over }) => Math.round((100 * over.goodPerSecond) / peak.goodPerSecond));
  const latest = Math.max(...measured.map(({ over }) => over.refusedP99));
  process.stdout.write(
    `goodput ${percentile(percents, 0.5)} % of the peak in the middle one of ${percents.join(', ')}; 429 within ` +
      `${Math.round(latest)} ms (the highest p99)\n`,
  );
}
