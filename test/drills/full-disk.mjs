// Fills the disk of a node, frees it and checks: the node lives, writes are answered with errors and go on once there
// is space, nothing acknowledged is lost, then or after a restart. Mounts a tmpfs, so it needs root. Usage: node
// test/drills/full-disk.mjs [megabytes=64] [secondsFull=15] [seed]
import { execFileSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { call, sleep, startNode, temporaryFolder } from '../node-process.mjs';
import { createHistory } from './history.mjs';

const INDEX = 'drill';
const IDS = 9000;
const BATCH = 100;
const CLIENTS = 2;
const RECOVERY_MS_MAX = 30_000;
const SETTINGS = { 'indices.memory.index_buffer_size': '2mb' };

/** Space that is given back: a third of the disk. */
function occupy(folder, megabytes) {
  const file = path.join(folder, 'filler');
  writeFileSync(file, Buffer.alloc(Math.floor((megabytes * 2 ** 20) / 3), 7));
  return () => rmSync(file);
}

async function writeUntil(node, history, isOver) {
  const client = async () => {
    while (!isOver()) if (!(await history.bulk(node, BATCH, '?timeout=2s'))) await sleep(100);
  };
  await Promise.all(Array.from({ length: CLIENTS }, client));
}

/** Writes until operations are refused, and on for a while. Returns the longest time without an answer to `GET /`. */
async function fill(node, history, secondsFull) {
  let refusedAt = null;
  let isWriting = true;
  let longestMs = 0;
  const probe = async () => {
    while (isWriting) {
      const started = performance.now();
      const { status } = await call(node, 'GET', '/');
      if (status !== 200) throw new Error(`GET / answered ${status}`);
      longestMs = Math.max(longestMs, performance.now() - started);
      await sleep(100);
    }
  };
  const isOver = () => {
    if (refusedAt === null && history.counts.refused > 0) refusedAt = Date.now();
    return refusedAt !== null && Date.now() - refusedAt > secondsFull * 1000;
  };
  await Promise.all([probe(), writeUntil(node, history, isOver).finally(() => (isWriting = false))]);
  return longestMs;
}

async function isGreen(node) {
  const { body } = await call(node, 'GET', '/_cluster/health');
  return body.status === 'green';
}

/** Milliseconds until all shards are there and a bulk is taken whole. */
async function timeToWrite(node, history) {
  const started = Date.now();
  while (!(await isGreen(node)) || !(await history.bulk(node, 20, '?timeout=2s'))) {
    if (Date.now() - started > RECOVERY_MS_MAX)
      throw new Error(
        `no write was taken ${RECOVERY_MS_MAX / 1000} s after space was free:\n${node.log().slice(-6000)}`,
      );
    await sleep(100);
  }
  return Date.now() - started;
}

async function check(node, history, when) {
  const { wrong, documents } = await history.verify(node);
  if (wrong.length > 0)
    throw new Error(
      `${when}: ${wrong.length} wrong, such as ${JSON.stringify(wrong.slice(0, 5))}\n${node.log().slice(-6000)}`,
    );
  return documents;
}

/**
 * Runs the drill on a node in `folder`, which is the whole of a small disk. Throws for a loss, a dead node, or no
 * writes afterwards.
 */
async function fillAndFree(folder, megabytes, secondsFull, seed) {
  const start = () => startNode({ data: path.join(folder, 'data'), settings: SETTINGS, waitForStatus: 'green' });
  const free = occupy(folder, megabytes);
  const history = createHistory({ index: INDEX, idCount: IDS, seed, padding: 1500 });
  let node = await start();
  try {
    await call(node, 'PUT', `/${INDEX}`, { settings: { number_of_shards: 2, number_of_replicas: 0 } });
    const longestMs = await fill(node, history, secondsFull);
    const whenFull = { ...history.counts };
    free();
    const recoveryMs = await timeToWrite(node, history);
    const documents = await check(node, history, 'after space was free');
    await timeToWrite(node, history);
    const end = await node.stop('SIGTERM');
    if (end.code !== 0) throw new Error(`the node ended with ${end.code ?? end.signal}`);
    node = await start();
    await check(node, history, 'after a restart');
    return { ...whenFull, longestMs, recoveryMs, documents };
  } finally {
    const end = await node.stop('SIGKILL');
    if (end.signal !== 'SIGKILL')
      process.stdout.write(`the node ended by itself with ${end.code ?? end.signal}:\n${node.log().slice(-6000)}\n`);
  }
}

export async function fullDisk(megabytes, secondsFull, seed) {
  const folder = temporaryFolder('full-disk');
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', folder]);
  try {
    return await fillAndFree(folder, megabytes, secondsFull, seed);
  } finally {
    execFileSync('umount', [folder]);
    rmSync(folder, { recursive: true, force: true });
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [, , megabytes = '64', secondsFull = '15', seed = String(Date.now() % 1e9)] = process.argv;
  const sums = await fullDisk(Number(megabytes), Number(secondsFull), Number(seed));
  process.stdout.write(
    `${megabytes} MB full for ${secondsFull} s (seed ${seed}): ${sums.acknowledged} operations acknowledged, ` +
      `${sums.refused} refused, ${sums.unanswered} unanswered; ` +
      `slowest GET / ${Math.round(sums.longestMs)} ms; writes went on after ${sums.recoveryMs} ms; ` +
      `${sums.documents} documents, 0 lost\n`,
  );
}
