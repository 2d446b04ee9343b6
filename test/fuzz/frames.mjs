// Sends damaged frames to the transport ports of a node of its own, as a peer that went wrong would: hellos, requests
// of every action with payloads that are half right, fragments, credits and cancels out of nowhere, and bytes that are
// no gRPC. Findings: the end of the process, a node that no longer answers over HTTP, and memory beyond the bound.
import fs from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { call, freePort, root, sleep, startNode } from '../node-process.mjs';
import { residentPeakMegabytes } from '../resident-memory.mjs';
import { mutateBytes, mutateValue } from './mutate.mjs';
import { choices } from './random.mjs';
import { DOCUMENTS, QUERIES, SEARCHES } from './seeds.mjs';

const grpc = createRequire(path.join(root, 'packages/transport/package.json'))('@grpc/grpc-js');
const load = (file) => import(pathToFileURL(path.join(root, 'packages', file)).href);
const [frames, protocol] = await Promise.all([load('transport/dist/frames.js'), load('protocol/dist/index.js')]);

const BATCHES_PER_LINK = 40;
const RESIDENT_MB_MAX = 1_024;
const ANSWER_MS_MAX = 30_000;
const CLUSTER = 'fuzzed';
const ACTIONS = [
  'shard/query',
  'shard/bulk',
  'shard/open-contexts',
  'shard/free-contexts',
  'shard/fetch',
  'shard/call',
  'shard/get',
  'shard/can-match',
  'shard/nope',
  'state/publish',
  'master/task',
  'master/pending',
  'replication/replicate',
  'replication/resync',
  'replication/sync',
  'store/list',
  'recovery/start',
  'recovery/chunk',
  'recovery/operations',
  'recovery/finalize',
  'recovery/handoff',
  'node/call',
  'node/disk',
  'coordinator/scroll',
  'coordination/message',
  'control/leader',
  'control/fatal',
  'control/ready',
  'control/submit',
  'control/protect',
  'thread/close',
  'to/data/n/shard/get',
  'log',
  'nope',
  '',
];

const pascal = (name) => name.slice('decode'.length);
/** Every kind of message as its empty form: { decode, encode }. */
const MESSAGES = Object.values(protocol).flatMap((module) =>
  Object.keys(module)
    .filter((name) => name.startsWith('decode') && module[`encode${pascal(name)}`])
    .map((name) => ({ decode: module[name], encode: module[`encode${pascal(name)}`] })),
);

function scramble(random, value) {
  if (typeof value === 'number') return random.pick([0, 1, 2, 7, 2 ** 31 - 1, 2 ** 53 - 1]);
  if (typeof value === 'bigint') return random.pick([0n, 1n, 2n ** 62n]);
  if (typeof value === 'string') return random.pick(['', 'a', 'index', '0', 'n:1', 'x'.repeat(300)]);
  if (typeof value === 'boolean') return random.chance(0.5);
  if (value instanceof Uint8Array)
    return random.chance(0.5)
      ? Buffer.from(JSON.stringify(mutateValue(random, random.pick(SEARCHES), QUERIES)))
      : random.bytes(random.below(40));
  if (Array.isArray(value)) return value;
  if (value && typeof value === 'object')
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, scramble(random, inner)]));
  return value;
}

function messageBytes(random) {
  const message = random.pick(MESSAGES);
  try {
    return message.encode(scramble(random, message.decode(new Uint8Array(0))));
  } catch {
    return random.bytes(random.below(60));
  }
}

const JSONS = [
  { action: 'info', body: {} },
  { action: 'stats' },
  { action: 'cancel-tasks', body: { nodes: null } },
  { kind: 'next', cursor: '1', keepAliveMs: 5 },
  { task: 'put-mapping', body: { index: 'a', mappings: { properties: {} } } },
  { type: 'join', term: 3, to: 'x' },
  { type: 'publish', term: 9, version: 9, state: {} },
  ...DOCUMENTS,
];
const payloadOf = (random) =>
  random.chance(0.4)
    ? Buffer.from(JSON.stringify(mutateValue(random, random.pick(JSONS), JSONS)))
    : random.chance(0.6)
      ? messageBytes(random)
      : mutateBytes(random, messageBytes(random));

/** What the head of a request says from version 2 on: as a node of this version, as an older one, and nonsense. */
const shardOf = (random) => ({
  indexUuid: random.pick(['', 'u', 'x'.repeat(22)]),
  shard: random.pick([0, 1, 2 ** 32 - 1]),
  version: random.pick([0, 1, 2, 2, 3, 2 ** 32 - 1]),
});

function anyRequestFrame(random) {
  const payload = payloadOf(random);
  return frames.requestFrame(
    {
      id: random.below(2 ** 16),
      action: random.pick(ACTIONS),
      deadlineMs: random.pick([0, 1, 5_000]),
      parentTask: random.pick(['', 'n:1', 'x']),
      traceId: '',
      totalBytes: payload.length,
      ...shardOf(random),
    },
    payload,
  );
}

function anyFrame(random) {
  const id = random.pick([0, 1, 2, 3, 1000, 2 ** 31]);
  const payload = payloadOf(random);
  const total = random.chance(0.85) ? payload.length : random.pick([0, 1, 2 ** 20, 2 ** 31, 2 ** 32 - 1]);
  switch (random.below(9)) {
    case 0:
      return frames.responseFrame(id, total, payload);
    case 1:
      return frames.fragmentFrame(id, random.below(5), payload);
    case 2:
      return frames.failureFrame(id, payload);
    case 3:
      return frames.cancelFrame(id);
    case 4:
      return frames.creditFrame(random.pick([0, 1, 2 ** 31, 2 ** 32 - 1]));
    case 5:
      if (random.chance(0.02)) return frames.proofFrame(random.bytes(random.pick([0, 32, 33])));
      return random.chance(0.02) ? frames.goodbyeFrame('closed', 'x') : frames.cancelFrame(id);
    default:
      return frames.requestFrame(
        {
          id: random.below(2 ** 16),
          action: random.pick(ACTIONS),
          deadlineMs: random.pick([0, 1, 5_000]),
          parentTask: random.pick(['', 'n:1', 'x']),
          traceId: '',
          totalBytes: total,
          ...shardOf(random),
        },
        payload,
      );
  }
}

function helloOf(random, linkClass, own) {
  const facts = {
    clusterName: random.chance(0.97) ? CLUSTER : 'other',
    clusterUuid: null,
    nodeId: `fuzz-${own}`,
    ephemeralId: `e-${own}`,
    name: `fuzz-${own}`,
    roles: ['data'],
    version: '8.12.0',
    protocolMin: random.chance(0.97) ? 1 : 99,
    protocolMax: random.pick([1, 2, 2, 2, 99]),
    transportAddress: '127.0.0.1:1',
    dataAddress: '127.0.0.1:1',
    httpAddress: null,
    attributes: new Map(),
    security: random.chance(0.9) ? 'off' : random.pick(['on', '', 'x']),
  };
  const nonce = random.chance(0.9) ? new Uint8Array(0) : random.bytes(random.pick([1, 16, 300]));
  return frames.helloFrame(facts, { linkClass, windowBytes: 1 << 20, probe: false, nonce });
}

/** Which frames come back shows how far the sent ones got. */
function count(received, frame) {
  const kind = Object.keys(frame).find((name) => name !== 'payload' && frame[name] !== undefined) ?? 'none';
  received.set(kind, (received.get(kind) ?? 0) + 1);
}

const identity = (bytes) => Buffer.from(bytes);

/** One link from hello to hang-up; resolves to the number of frames sent. */
function peer(port, linkClass, random, own, received) {
  return new Promise((resolve) => {
    const client = new grpc.Client(`127.0.0.1:${port}`, grpc.credentials.createInsecure(), {
      'grpc.use_local_subchannel_pool': 1,
    });
    const stream = client.makeBidiStreamRequest('/shoal.transport.Transport/Link', identity, identity);
    let sent = 0;
    let isOver = false;
    const over = () => {
      if (isOver) return;
      isOver = true;
      stream.cancel();
      client.close();
      resolve(sent);
    };
    stream.on('error', over);
    stream.on('end', over);
    stream.on('data', (bytes) => {
      for (const frame of frames.decodeBatch(bytes)) count(received, frame);
    });
    // A link that breaks the rules of frames is closed at once: most keep them, so that what handles the requests is
    // reached.
    const isOrderly = random.chance(0.7);
    const send = (list) => {
      sent += list.length;
      const bytes = frames.encodeBatch(list);
      return stream.write(isOrderly || random.chance(0.93) ? bytes : mutateBytes(random, bytes));
    };
    if (random.chance(0.95)) send([helloOf(random, linkClass, own)]);
    let left = BATCHES_PER_LINK;
    const next = () => {
      if (isOver) return;
      if (left-- === 0) return void setTimeout(over, isOrderly ? 60 : 5);
      send(Array.from({ length: 1 + random.below(5) }, () => (isOrderly ? anyRequestFrame(random) : anyFrame(random))));
      setImmediate(next);
    };
    setTimeout(next, 3);
    setTimeout(over, 2_000).unref();
  });
}

function rawBytes(port, random) {
  return new Promise((resolve) => {
    const socket = net.connect(port, '127.0.0.1', () => {
      const preface = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n');
      socket.write(
        Buffer.concat([random.chance(0.7) ? preface : Buffer.alloc(0), Buffer.from(random.bytes(random.below(300)))]),
      );
      setTimeout(() => socket.destroy(), 5);
    });
    socket.on('error', () => undefined);
    socket.on('close', () => resolve(1));
  });
}

async function answers(node) {
  const controller = AbortSignal.timeout(ANSWER_MS_MAX);
  try {
    return (
      (await fetch(`${node.url}/_cluster/health?timeout=20s&wait_for_status=yellow`, { signal: controller })).status ===
      200
    );
  } catch {
    return false;
  }
}

async function startTarget(control, data) {
  const node = await startNode({
    settings: {
      'cluster.name': CLUSTER,
      'node.name': 'target',
      'transport.port': control,
      'transport.data_port': data,
      'discovery.seed_hosts': `127.0.0.1:${control}`,
      'cluster.initial_master_nodes': 'target',
    },
  });
  await call(node, 'PUT', '/a/_doc/1?refresh=true', DOCUMENTS[0]);
  return node;
}

/** A node under attack, and what was found wrong with it. */
class Target {
  findings = [];
  hasEnded = false;
  isSilent = false;

  constructor(node, seed) {
    this.node = node;
    this.seed = seed;
    void node.exited.then(({ code, signal }) => {
      if (!this.hasEnded) this.find('the process', `ended with ${code ?? signal}\n${node.log().slice(-3000)}`);
      this.hasEnded = true;
    });
  }

  find(target, reason) {
    this.findings.push({ target, seed: this.seed, input: '', reason });
  }

  async stillAnswers() {
    this.isSilent ||= !this.hasEnded && !(await answers(this.node));
    return !this.isSilent;
  }

  /** Looks at memory, HTTP and the one document after `links` links. Returns megabytes resident at most. */
  async examine(links) {
    const { node } = this;
    const megabytes = this.hasEnded ? 0 : Math.round(residentPeakMegabytes(node.pid));
    if (megabytes > RESIDENT_MB_MAX) this.find('memory', `${megabytes} MB resident`);
    if (!(await this.stillAnswers()))
      this.find(
        'the node',
        `no answer over HTTP within ${ANSWER_MS_MAX} ms after ${links} links\n${node.log().slice(-2000)}`,
      );
    const kept = this.hasEnded || this.isSilent ? null : await call(node, 'GET', '/a/_doc/1');
    if (kept !== null && !kept.body.found)
      this.find('a document', `is gone: ${JSON.stringify(kept.body).slice(0, 400)}\n${node.log().slice(-2500)}`);
    return megabytes;
  }

  async end() {
    if (!this.hasEnded) {
      this.hasEnded = true;
      await this.node.stop('SIGKILL');
    }
    fs.rmSync(this.node.data, { recursive: true, force: true });
  }
}

/** Runs until `inputs` frames or `seconds` are over; see parsers.mjs. */
export async function fuzzFrames({ inputs, seconds, seed, report = () => undefined }) {
  const [control, data] = [await freePort(), await freePort()];
  const target = new Target(await startTarget(control, data), seed);
  const end = performance.now() + seconds * 1000;
  const received = new Map();
  let sent = 0;
  let links = 0;
  const attack = async () => {
    const own = seed + links++;
    const random = choices(own);
    if (random.chance(0.03)) return rawBytes(random.chance(0.5) ? control : data, random);
    const linkClass = random.pick(['control', 'data', 'recovery']);
    return peer(linkClass === 'control' ? control : data, linkClass, random, own, received);
  };
  while (!target.hasEnded && sent < inputs && performance.now() < end) {
    const counts = await Promise.all(Array.from({ length: 4 }, attack));
    sent += counts.reduce((sum, count) => sum + count, 0);
    if (links % 200 !== 0) continue;
    if (!(await target.stillAnswers())) break;
    report(sent, target.findings);
  }
  await sleep(200);
  const megabytes = await target.examine(links);
  await target.end();
  const answered = [...received].map(([kind, times]) => `${kind} ${times}`).join(', ');
  return {
    inputs: sent,
    findings: target.findings,
    summary: `${links} links; came back: ${answered}; resident at most ${megabytes} MB`,
  };
}
