// Ends a node under load at random moments, starts it again and checks over HTTP that every acknowledged operation is
// there, in its newest version, for get and for search. With SIGTERM the node must end by itself with status 0 as well.
// Usage: node test/drills/kill-node.mjs [runs=20] [signal=SIGKILL] [seed]
import { rm } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { call, sleep, startNode, temporaryFolder } from '../node-process.mjs';
import { createHistory } from './history.mjs';

const INDEX = 'drill';
const IDS = 4000;
const CLIENTS = 4;
const BATCH = 150;
/** Small buffers and segments, so that seals, commits and merges run all the time. */
const SETTINGS = { 'indices.memory.index_buffer_size': '1mb' };
const INDEX_BODY = {
  settings: { number_of_shards: 2, number_of_replicas: 0, merge: { policy: { floor_segment: '10kb' } } },
};

const DISTURBANCES = [
  '_flush',
  '_refresh',
  '_forcemerge?max_num_segments=1',
  '_forcemerge?only_expunge_deletes=true',
  '_cache/clear',
];
const PARAMETERS = ['', '', '', '?refresh=true', '?refresh=wait_for'];

async function load(node, history, state) {
  const client = async () => {
    while (!state.isOver) {
      const parameters = PARAMETERS[Math.floor(history.random() * PARAMETERS.length)];
      if (!(await history.bulk(node, BATCH, parameters))) await sleep(5);
    }
  };
  const disturber = async () => {
    while (!state.isOver) {
      await sleep(30 + history.random() * 150);
      const action = DISTURBANCES[Math.floor(history.random() * DISTURBANCES.length)];
      if (!state.isOver) await call(node, 'POST', `/${INDEX}/${action}`).catch(() => undefined);
    }
  };
  await Promise.all([disturber(), ...Array.from({ length: CLIENTS }, client)]);
}

/** Loads the node for a while, ends it with `signal` and says how that went. */
async function endUnderLoad(node, history, signal, lifeMs, needsAcknowledged) {
  const state = { isOver: false };
  const loading = load(node, history, state);
  await sleep(lifeMs);
  // A slow machine may not have acknowledged anything yet: then there is nothing to lose, and nothing to check.
  for (let i = 0; needsAcknowledged && history.counts.acknowledged === 0 && i < 500; i++) await sleep(20);
  const started = performance.now();
  const ending = node.stop(signal);
  // The clients go on writing until the process is gone.
  const end = await ending;
  const ms = performance.now() - started;
  state.isOver = true;
  await loading;
  return { ...end, ms };
}

/** Ends and starts a node `runs` times; returns sums. Throws for a loss. */
export async function killNode(runs, signal, seed, onRun = () => undefined) {
  const data = temporaryFolder('kill-node');
  const history = createHistory({ index: INDEX, idCount: IDS, seed });
  const slowest = { startMs: 0, stopMs: 0 };
  let node = await startNode({ data, settings: SETTINGS, waitForStatus: 'green' });
  try {
    await call(node, 'PUT', `/${INDEX}`, INDEX_BODY);
    for (let run = 1; run <= runs; run++) {
      const end = await endUnderLoad(node, history, signal, 30 + history.random() * 1500, run === runs);
      if (signal === 'SIGTERM' && end.code !== 0)
        throw new Error(`run ${run}: the node ended with ${end.code ?? end.signal}:\n${node.log()}`);
      const started = performance.now();
      node = await startNode({ data, settings: SETTINGS, waitForStatus: 'green' });
      slowest.startMs = Math.max(slowest.startMs, performance.now() - started);
      slowest.stopMs = Math.max(slowest.stopMs, end.ms);
      const { wrong, documents } = await history.verify(node);
      if (wrong.length > 0)
        throw new Error(
          `run ${run}: ${wrong.length} wrong, such as ${JSON.stringify(wrong.slice(0, 5))}\n${node.log()}`,
        );
      onRun(
        `run ${run}: ended in ${Math.round(end.ms)} ms, ${history.counts.acknowledged} operations acknowledged so ` +
          `far, ${documents} documents, 0 lost`,
      );
    }
    return { ...history.counts, ...slowest };
  } finally {
    await node.stop('SIGKILL');
    await rm(data, { recursive: true, force: true });
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [, , runs = '20', signal = 'SIGKILL', seed = String(Date.now() % 1e9)] = process.argv;
  const sums = await killNode(Number(runs), signal, Number(seed), (line) => process.stdout.write(`${line}\n`));
  process.stdout.write(
    `${runs} times ${signal} (seed ${seed}): ${sums.acknowledged} operations acknowledged, ${sums.unanswered} ` +
      `unanswered, 0 lost; slowest stop ${Math.round(sums.stopMs)} ms, slowest start ${Math.round(sums.startMs)} ms\n`,
  );
}
