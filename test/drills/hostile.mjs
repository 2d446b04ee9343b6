// Hostile requests, one attack after the other, at a node with a memory budget. While one runs, `GET /` is asked from a
// thread of its own; others must not notice. Prints for each attack its answers, how long they took, the 99th
// percentile and the worst of `GET /`, the longest turn of the node's event loop in processor time (which other
// programs on the machine do not change) and how many were longer than 100 ms, processor seconds of the node, and the
// most that it had resident.
// Usage: node test/drills/hostile.mjs [--only NAME]... [--skip NAME]... [--quick] [--list] [--memory MB] [--bad]
//                                     [--tree FOLDER] [--profile FOLDER]
// --only and --skip take the beginning of a name; --quick leaves out what takes long; --tree runs another checkout's
// node; --bad prints only rows that miss the goal; --profile writes a processor profile of each node there.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { call } from '../node-process.mjs';
import { residentMegabytes, residentPeakMegabytes } from '../resident-memory.mjs';
import { bodyAttacks } from './hostile/bodies.mjs';
import { listAttacks } from './hostile/lists.mjs';
import { startProbe } from './hostile/probe.mjs';
import { pipelineAttacks } from './hostile/pipelines.mjs';
import { searchAttacks } from './hostile/searches.mjs';
import { serviceAttacks } from './hostile/services.mjs';
import { stateAttacks } from './hostile/states.mjs';
import { surfaceAttacks } from './hostile/surfaces.mjs';

/**
 * All attacks. Each is `{ name, isLong, settings, prepare(node), run(node) }`: `run` resolves with the statuses of its
 * answers (0: the connection was cut), `prepare` is not measured. Attacks with the same settings share a node;
 * `secret` is the password of `elastic` on a node with security.
 */
export const attacks = [
  ...bodyAttacks,
  ...stateAttacks,
  ...pipelineAttacks,
  ...searchAttacks,
  ...surfaceAttacks,
  ...serviceAttacks,
  ...listAttacks,
];

const NO_SETTINGS = Object.freeze({});
const TICKS_PER_SECOND = 100;
/** A node that took more than this share of its budget is not used for the next attack. */
const BUDGET_SHARE_MAX = 1.15;

/** Processor seconds of a process so far. */
function processorSeconds(pid) {
  const stat = fs.readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
}

/** Lets `residentPeakMegabytes` begin anew. */
const forgetPeak = (pid) => fs.writeFileSync(`/proc/${pid}/clear_refs`, '5');

const TURNS = new URL('./hostile/turns.mjs', import.meta.url);
/** A turn of the event loop that is longer keeps others waiting longer than they may. */
const TURN_MS_MAX = 100;

/** Turns of the node's event loop since a moment: the longest, and how many were too long. */
function turnsSince(file, sinceMs) {
  const lines = fs.existsSync(file) ? fs.readFileSync(file, 'utf8').split('\n').slice(0, -1) : [];
  const turns = lines.map((line) => line.split(' ').map(Number)).filter(([at]) => at >= sinceMs);
  const lengths = turns.map(([, ms]) => ms);
  return { longestMs: Math.max(0, ...lengths), long: lengths.filter((ms) => ms > TURN_MS_MAX).length };
}

/** Runs one attack; returns its row of the table. */
async function measure(node, attack) {
  await attack.prepare?.(node);
  const since = Date.now();
  forgetPeak(node.pid);
  const probe = await startProbe(node.port);
  const [startedMs, before, residentBefore] = [
    performance.now(),
    processorSeconds(node.pid),
    residentMegabytes(node.pid),
  ];
  const statuses = await attack.run(node);
  const seconds = (performance.now() - startedMs) / 1000;
  const { p99Ms, worstMs, failed } = await probe.stop();
  const isAlive = (await call(node, 'GET', '/').catch(() => null)) !== null;
  const alive = isAlive
    ? { processor: processorSeconds(node.pid) - before, peak: residentPeakMegabytes(node.pid) }
    : { processor: Number.NaN, peak: Number.NaN };
  const turns = turnsSince(node.turnsFile, since);
  return { name: attack.name, statuses, seconds, p99Ms, worstMs, failed, isAlive, residentBefore, ...turns, ...alive };
}

/** Starts a node that notes long turns of its event loop in `turnsFile`. */
async function startMeasured(startNode, settings, secret, profile) {
  const turnsFile = path.join(os.tmpdir(), `shoal-turns-${process.pid}-${process.hrtime.bigint()}`);
  const secured = secret === undefined ? {} : { ELASTIC_PASSWORD: secret };
  const env = { NODE_OPTIONS: `--import=${TURNS.href}`, SHOAL_TURNS_FILE: turnsFile, ...secured };
  const execArgv = profile === null ? [] : ['--max-old-space-size=409', '--cpu-prof', `--cpu-prof-dir=${profile}`];
  const node = await startNode({
    settings,
    env,
    execArgv,
    ...(secret === undefined ? {} : { auth: `elastic:${secret}` }),
  });
  return { ...node, turnsFile };
}

/**
 * Runs attacks; a node that ended is started anew. `onRow` gets each row as soon as it is known; `profile` is a folder
 * for processor profiles, or null.
 */
export async function runAttacks(list, { startNode, memory = 512, onRow = () => undefined, profile = null }) {
  const rows = [];
  let [node, settings] = [null, null];
  const stop = async () => {
    if (node === null) return;
    await node.stop(profile === null ? 'SIGKILL' : 'SIGTERM');
    fs.rmSync(node.data, { recursive: true, force: true });
    fs.rmSync(node.turnsFile, { force: true });
    node = null;
  };
  try {
    for (const attack of list) {
      const wanted = attack.settings ?? NO_SETTINGS;
      if (wanted !== settings) await stop();
      settings = wanted;
      node ??= await startMeasured(startNode, { 'memory.limit': `${memory}mb`, ...wanted }, attack.secret, profile);
      const row = await measure(node, attack);
      rows.push(row);
      onRow(row);
      if (!row.isAlive || row.peak > memory * BUDGET_SHARE_MAX) await stop();
    }
  } finally {
    await stop();
  }
  return rows;
}

/** `200 x3, 429 x1`. */
function shortStatuses(statuses) {
  const counts = new Map();
  for (const status of statuses) counts.set(status, (counts.get(status) ?? 0) + 1);
  return [...counts].map(([status, count]) => (count === 1 ? `${status}` : `${status} x${count}`)).join(', ');
}

const HEADS = ['attack', 'answers', 's', 'GET / p99 ms', 'worst ms', 'turn ms', 'long', 'processor s', 'resident MB'];

const cells = (row) => [
  row.name,
  row.isAlive ? shortStatuses(row.statuses) : `${shortStatuses(row.statuses)}; the node ended`,
  row.seconds.toFixed(1),
  Math.round(row.p99Ms),
  `${Math.round(row.worstMs)}${row.failed > 0 ? ` (${row.failed} failed)` : ''}`,
  Math.round(row.longestMs),
  row.long,
  row.processor.toFixed(1),
  Math.round(row.peak),
];

/** A line of the table, in Markdown. */
const line = (values) => `| ${values.join(' | ')} |\n`;

/** Whether a row misses the goal: a turn too long, a 500, an end, more memory than there is. */
const isBad = (row, memory) =>
  !row.isAlive ||
  row.failed > 0 ||
  row.long > 0 ||
  row.peak > memory * BUDGET_SHARE_MAX ||
  row.statuses.some((status) => status >= 500);

async function main() {
  const { values } = parseArgs({
    options: {
      only: { type: 'string', multiple: true, default: [] },
      skip: { type: 'string', multiple: true, default: [] },
      bad: { type: 'boolean', default: false },
      profile: { type: 'string' },
      quick: { type: 'boolean', default: false },
      list: { type: 'boolean', default: false },
      memory: { type: 'string', default: '512' },
      tree: { type: 'string', default: path.join(path.dirname(fileURLToPath(import.meta.url)), '..', '..') },
    },
  });
  const list = attacks
    .filter(({ name }) => values.only.length === 0 || values.only.some((start) => name.startsWith(start)))
    .filter(({ name }) => !values.skip.some((start) => name.startsWith(start)))
    .filter(({ isLong }) => !values.quick || !isLong);
  if (values.list) return void process.stdout.write(`${list.map(({ name }) => name).join('\n')}\n`);
  const { startNode } = await import(pathToFileURL(path.resolve(values.tree, 'test', 'node-process.mjs')).href);
  process.stdout.write(line(HEADS) + line(HEADS.map(() => '---')));
  const memory = Number(values.memory);
  await runAttacks(list, {
    startNode,
    memory,
    profile: values.profile ?? null,
    onRow: (row) => {
      if (!values.bad || isBad(row, memory)) process.stdout.write(line(cells(row)));
    },
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main();
