// Kills a process that writes with SIGKILL, again and again, and checks after each that nothing acknowledged is lost.
// Usage: node test/drills/kill-bulk.mjs [runs=20] [seed]
import { fork } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { bulkRequest, noMaster, openDrillShard, visibleDocuments } from './shard-driver.mjs';

const IDS = 3000;
const BATCH = 100;

/** Repeatable numbers in [0, 1). */
function numbers(seed) {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 4294967296;
  };
}

/** Writes until it is killed: says what it is about to write, and when that is acknowledged. */
async function writer(folder, seed, from) {
  const random = numbers(seed);
  const shard = await openDrillShard(folder);
  let n = from;
  const client = async () => {
    for (;;) {
      const writes = Array.from({ length: 1 + Math.floor(random() * BATCH) }, () => [
        `id-${Math.floor(random() * IDS)}`,
        random() < 0.15 ? null : n++,
      ]);
      const batch = ++batches;
      process.send({ batch, writes });
      const answer = await shard.bulk(bulkRequest(writes), noMaster);
      if (answer.items.some((item) => item.outcome === 5)) throw new Error('an item failed');
      process.send({ batch });
      if (random() < 0.02) await shard.flush();
    }
  };
  let batches = 0;
  await Promise.all([client(), client(), client()]);
}

/** Runs the writer for `lifeMs` and returns what it said, in order. */
function runWriter(folder, seed, from, lifeMs) {
  return new Promise((resolve, reject) => {
    const said = [];
    const child = fork(fileURLToPath(import.meta.url), ['--writer', folder, String(seed), String(from)]);
    child.on('message', (message) => {
      if (said.length === 0) setTimeout(() => child.kill('SIGKILL'), lifeMs);
      said.push(message);
    });
    child.on('exit', (code) => (code === null ? resolve(said) : reject(new Error(`the writer ended with ${code}`))));
  });
}

async function main(runs, seed) {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'shoal-kill-'));
  const random = numbers(seed);
  let state = new Map();
  let from = 1;
  let acknowledgedOperations = 0;
  for (let run = 0; run < runs; run++) {
    const said = await runWriter(folder, Math.floor(random() * 1e9), from, 20 + random() * 1500);
    const { lost, after, acknowledged } = await verify(folder, state, said);
    if (lost.length > 0) throw new Error(`run ${run}: lost ${JSON.stringify(lost.slice(0, 10))}`);
    acknowledgedOperations += acknowledged;
    state = after;
    from += 1_000_000;
    process.stdout.write(`run ${run + 1}: ${acknowledged} operations acknowledged, ${after.size} documents, 0 lost\n`);
  }
  await rm(folder, { recursive: true, force: true });
  process.stdout.write(`${runs} kills, ${acknowledgedOperations} acknowledged operations, 0 lost\n`);
}

/** What was said, by batch: when it was sent and when acknowledged, as positions in the conversation. */
function batchesOf(said) {
  const batches = new Map();
  said.forEach((message, position) => {
    if (message.writes) batches.set(message.batch, { sent: position, done: Infinity, writes: message.writes });
    else batches.get(message.batch).done = position;
  });
  return [...batches.values()];
}

function historiesOf(batches) {
  const histories = new Map();
  for (const { sent, done, writes } of batches) {
    writes.forEach(([id, n], place) => {
      if (!histories.has(id)) histories.set(id, []);
      histories.get(id).push({ n, sent, done, place });
    });
  }
  return histories;
}

/**
 * Values that an id may have. Bulks run side by side: a write is certainly older than another one if it was
 * acknowledged before that was sent, or stands before it in the same bulk; an acknowledged write rules older ones out.
 */
function candidatesOf(history, before) {
  const isOlder = (write, other) => other.sent > write.done || (other.sent === write.sent && other.place > write.place);
  const candidates = history
    .filter((write) => !history.some((other) => other.done < Infinity && isOlder(write, other)))
    .map(({ n }) => n);
  if (history.every((write) => write.done === Infinity)) candidates.push(before);
  return candidates;
}

/** Opens the store after the kill and compares it with what was said. */
async function verify(folder, before, said) {
  const shard = await openDrillShard(folder);
  const after = visibleDocuments(shard);
  await shard.close();
  const batches = batchesOf(said);
  const histories = historiesOf(batches);
  const lost = [];
  for (const id of new Set([...before.keys(), ...after.keys(), ...histories.keys()])) {
    const now = after.get(id) ?? null;
    const candidates = candidatesOf(histories.get(id) ?? [], before.get(id) ?? null);
    if (!candidates.includes(now)) lost.push({ id, now, candidates });
  }
  const acknowledged = batches
    .filter(({ done }) => done < Infinity)
    .reduce((sum, { writes }) => sum + writes.length, 0);
  return { lost, after, acknowledged };
}

if (process.argv[2] === '--writer') await writer(process.argv[3], Number(process.argv[4]), Number(process.argv[5]));
else await main(Number(process.argv[2] ?? 20), Number(process.argv[3] ?? Date.now() % 1e9));
