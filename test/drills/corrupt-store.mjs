// Flips bits, cuts and removes files of a stopped shard store at random places and opens it: the answers must be right,
// or the shard must fail with a line in the log; never fewer documents without a word. Usage: node
// test/drills/corrupt-store.mjs [damages=200] [seed]
import { cp, mkdtemp, open, readdir, rm, stat, truncate } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { bulkRequest, countByKey, documentOf, noMaster, openDrillShard, visibleDocuments } from './shard-driver.mjs';

/** Repeatable numbers in [0, 1). */
function numbers(seed) {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 4294967296;
  };
}

/** A store with segments, deletes and a log above the commit; a copy taken while it is open is one after a kill. */
async function prepare(folder, random) {
  const expected = new Map();
  const source = path.join(folder, 'source');
  const shard = await openDrillShard(source, { bufferBytesMax: 300_000 });
  let n = 0;
  const write = async (count) => {
    const writes = Array.from({ length: count }, () => [
      `id-${Math.floor(random() * 2500)}`,
      random() < 0.1 ? null : n++,
    ]);
    await shard.bulk(bulkRequest(writes), noMaster);
    for (const [id, value] of writes) {
      if (value === null) expected.delete(id);
      else expected.set(id, value);
    }
  };
  for (let i = 0; i < 30; i++) await write(100);
  await shard.flush();
  for (let i = 0; i < 5; i++) await write(50);
  // Compactions of LevelDB change files meanwhile; a copy is one moment only when they are over.
  await new Promise((resolve) => setTimeout(resolve, 500));
  await cp(source, path.join(folder, 'killed'), { recursive: true });
  await shard.close();
  await cp(source, path.join(folder, 'closed'), { recursive: true });
  // A force-merge moves everything from LevelDB's log into its tables.
  const again = await openDrillShard(source);
  await again.forceMerge({ maxNumSegments: 2, onlyExpungeDeletes: false });
  await again.close();
  await cp(source, path.join(folder, 'merged'), { recursive: true });
  return expected;
}

/** What a store was doing when it stopped. */
const STATES = ['closed', 'killed', 'merged'];

async function filesIn(folder) {
  const names = await readdir(folder, { recursive: true });
  const found = [];
  for (const name of names) {
    const info = await stat(path.join(folder, name));
    // LOG and LOCK hold nothing that is read.
    if (info.isFile() && info.size > 0 && !/\/(LOG|LOG\.old|LOCK)$/.test(name))
      found.push({ file: path.join(folder, name), size: info.size });
  }
  return found;
}

async function overwrite(file, position, bytes) {
  const handle = await open(file, 'r+');
  await handle.write(bytes, 0, bytes.length, position);
  await handle.close();
}

async function flip({ file, size }, random) {
  const position = Math.floor(random() * size);
  const handle = await open(file, 'r');
  const { buffer } = await handle.read(Buffer.alloc(1), 0, 1, position);
  await handle.close();
  await overwrite(file, position, Buffer.of(buffer[0] ^ (1 << Math.floor(random() * 8))));
  return `flipped a bit of ${path.basename(file)} at ${position} of ${size}`;
}

async function damage(files, random) {
  // By bytes, so that large files are hit as often as a disk would hit them, but every fifth by file.
  const total = files.reduce((sum, { size }) => sum + size, 0);
  let at = random() * total;
  const byBytes = files.find(({ size }) => (at -= size) < 0) ?? files[0];
  const target = random() < 0.2 ? files[Math.floor(random() * files.length)] : byBytes;
  const kind = random();
  if (kind < 0.6) return flip(target, random);
  const position = Math.floor(random() * target.size);
  if (kind < 0.8) {
    await truncate(target.file, position);
    return `cut ${path.basename(target.file)} at ${position} of ${target.size}`;
  }
  if (kind < 0.95) {
    const length = Math.min(target.size - position, 1 + Math.floor(random() * 4096));
    await overwrite(target.file, position, Buffer.alloc(length));
    return `zeroed ${length} bytes of ${path.basename(target.file)} at ${position}`;
  }
  await rm(target.file);
  return `removed ${path.basename(target.file)}`;
}

function isSame(found, expected) {
  return found.size === expected.size && [...expected].every(([id, n]) => found.get(id) === n);
}

function expectedCounts(expected) {
  const counts = new Map();
  for (const n of expected.values()) counts.set(documentOf(n).k, (counts.get(documentOf(n).k) ?? 0) + 1);
  return counts;
}

/** 'right', or 'failed' when the damage was noticed and logged; throws for a silent loss. */
async function inspect(folder, expected) {
  const lines = [];
  let shard;
  try {
    shard = await openDrillShard(folder, { lines });
    const found = visibleDocuments(shard);
    if (!isSame(found, expected))
      throw new Error(`silently wrong: ${found.size} documents instead of ${expected.size}`);
    const counts = countByKey(shard);
    if (!isSame(counts, expectedCounts(expected))) throw new Error('silently wrong counts from postings');
    return 'right';
  } catch (error) {
    if (error.message.startsWith('silently')) throw error;
    if (!lines.some(({ level }) => level === 'error'))
      throw new Error(`failed without a line in the log: ${error.stack}`);
    return 'failed';
  } finally {
    await shard?.close().catch(() => undefined);
  }
}

/** Runs `count` damages; returns how many were harmless and how many were noticed. */
export async function corruptStore(count, seed) {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'shoal-corrupt-'));
  const random = numbers(seed);
  try {
    const expected = await prepare(folder, random);
    const outcomes = { right: 0, failed: 0, silent: [] };
    for (let i = 0; i < count; i++) {
      const victim = path.join(folder, 'victim');
      await cp(path.join(folder, STATES[i % STATES.length]), victim, { recursive: true });
      if (i < STATES.length && (await inspect(victim, expected)) !== 'right')
        throw new Error('the store is damaged to begin with');
      const what = await damage(await filesIn(victim), random);
      try {
        outcomes[await inspect(victim, expected)]++;
      } catch (error) {
        outcomes.silent.push(`${what}: ${error.message}`);
      }
      await rm(victim, { recursive: true });
    }
    return outcomes;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const seed = Number(process.argv[3] ?? Date.now() % 1e9);
  const outcomes = await corruptStore(Number(process.argv[2] ?? 200), seed);
  process.stdout.write(
    `${outcomes.right} answered rightly, ${outcomes.failed} failed with a log entry, ${outcomes.silent.length} ` +
      `silent (seed ${seed})\n`,
  );
  for (const line of outcomes.silent) process.stdout.write(`  ${line}\n`);
  process.exit(outcomes.silent.length === 0 ? 0 : 1);
}
