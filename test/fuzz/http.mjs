// Throws damaged requests at a node of its own over HTTP. Findings: an answer of 500 or of a status that is none, an
// answer that is no JSON where JSON was promised, no answer in time, and the end of the process. From time to time the
// indices are made anew, so that requests find something.
import fs from 'node:fs';
import http from 'node:http';
import net from 'node:net';
import path from 'node:path';
import { call, sleep, startNode, temporaryFolder } from '../node-process.mjs';
import { residentPeakMegabytes } from '../resident-memory.mjs';
import { choices } from './random.mjs';
import { anyRequest } from './requests.mjs';
import { DOCUMENTS } from './seeds.mjs';

const CONNECTIONS = 8;
// Writes may wait a minute for shards that a request asks for and nobody has.
const ANSWER_MS_MAX = 90_000;
const FRESH_AFTER = 4_000;
const MAPPING = {
  properties: {
    t: { type: 'text' },
    k: { type: 'keyword' },
    n: { type: 'long' },
    d: { type: 'date' },
    b: { type: 'boolean' },
    p: { type: 'geo_point' },
    ip: { type: 'ip' },
    o: { type: 'nested', properties: { k: { type: 'keyword' }, n: { type: 'long' } } },
  },
};

/** Undoes what requests did: settings, indices, templates, and makes the indices that they name. */
async function freshen(node) {
  const { body: settings } = await call(node, 'GET', '/_cluster/settings?flat_settings=true');
  const none = (names) => Object.fromEntries(Object.keys(names ?? {}).map((name) => [name, null]));
  await call(node, 'PUT', '/_cluster/settings', {
    persistent: { ...none(settings.persistent), 'action.destructive_requires_name': false },
    transient: none(settings.transient),
  });
  for (const target of [
    '/_data_stream/*?expand_wildcards=all',
    '/*?expand_wildcards=all',
    '/_template/*',
    '/_index_template/*',
    '/_component_template/*',
    '/_ingest/pipeline/*',
    '/_snapshot/*',
    '/_search/scroll/_all',
  ])
    await call(node, 'DELETE', target);
  await call(node, 'PUT', '/a', { settings: { number_of_shards: 2 }, mappings: MAPPING, aliases: { al: {} } });
  await call(node, 'PUT', '/b', { mappings: MAPPING });
  for (let i = 0; i < 6; i++)
    await call(node, 'PUT', `/${i % 2 === 0 ? 'a' : 'b'}/_doc/${i}?refresh=true`, DOCUMENTS[i % DOCUMENTS.length]);
}

function exchange(node, agent, { method, target, headers, body }) {
  return new Promise((resolve) => {
    const finish = (answer) => {
      clearTimeout(timer);
      resolve(answer);
    };
    let request;
    try {
      request = http.request({
        agent,
        host: '127.0.0.1',
        port: node.port,
        method,
        path: target,
        headers: { ...headers, ...(body === null ? {} : { 'content-length': body.length }) },
      });
    } catch {
      return resolve({ status: 0, text: '', type: '' });
    }
    const timer = setTimeout(() => {
      request.destroy();
      resolve({ status: -1, text: '', type: '' });
    }, ANSWER_MS_MAX);
    request.on('response', (response) => {
      const chunks = [];
      response.on('data', (chunk) => chunks.push(chunk));
      response.on('end', () =>
        finish({
          status: response.statusCode,
          text: Buffer.concat(chunks).toString(),
          type: response.headers['content-type'] ?? '',
        }),
      );
      response.on('error', () => finish({ status: 0, text: '', type: '' }));
    });
    request.on('error', () => finish({ status: 0, text: '', type: '' }));
    request.end(body ?? undefined);
  });
}

/** Bytes that are no HTTP, or only half of it. The node may answer or hang up. */
function garbage(node, random) {
  return new Promise((resolve) => {
    const socket = net.connect(node.port, '127.0.0.1');
    const half =
      'POST /a/_search HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 50\r\n\r\n{"query":';
    socket.on('error', () => undefined);
    socket.on('close', resolve);
    socket.write(random.chance(0.5) ? half.slice(0, random.below(half.length)) : random.bytes(1 + random.below(200)));
    setTimeout(() => socket.destroy(), 20);
  });
}

function reasonAgainst(answer) {
  if (answer.status === -1) return `no answer within ${ANSWER_MS_MAX} ms`;
  if (answer.status === 500 || answer.status === 502 || answer.status === 504 || answer.status > 505)
    return `answered ${answer.status}: ${answer.text.slice(0, 600)}`;
  if (answer.type.includes('json') && answer.text !== '') {
    try {
      JSON.parse(answer.text);
    } catch (error) {
      return `answered what is no JSON (${error.message}): ${answer.text.slice(0, 300)}`;
    }
  }
  return null;
}

/** What of an answer tells findings apart: numbers and quoted names left out. */
const kindOf = (reason) => reason.replace(/\[[^\]]*\]|\d+|"[^"]{0,40}"/g, '#').slice(0, 160);

/** Runs until `inputs` requests or `seconds` are over; see parsers.mjs. */
export async function fuzzHttp({ inputs, seconds, seed, report = () => undefined }) {
  const repository = temporaryFolder('fuzz-repo');
  const node = await startNode({ settings: { 'path.repo': repository, 'script.disable_max_compilations_rate': true } });
  const agent = new http.Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  const findings = [];
  const seen = new Set();
  const statuses = new Map();
  const end = performance.now() + seconds * 1000;
  let begun = 0;
  let isFreshening = null;
  let hasEnded = false;
  const found = (request, own, reason) => {
    if (seen.has(kindOf(reason))) return;
    seen.add(kindOf(reason));
    findings.push({
      target: `${request.method} ${request.target}`,
      seed: own,
      input: `${JSON.stringify(request.headers)} ${request.body?.toString('latin1').slice(0, 600) ?? ''}`,
      reason,
    });
  };
  void node.exited.then(({ code, signal }) => {
    if (!hasEnded)
      findings.push({
        target: 'the process',
        seed,
        input: '',
        reason: `ended with ${code ?? signal}\n${node.log().slice(-3000)}`,
      });
    hasEnded = true;
  });
  async function connection() {
    while (!hasEnded && begun < inputs && performance.now() < end) {
      const own = seed + begun++;
      if (begun % FRESH_AFTER === 0) await (isFreshening = freshen(node).finally(() => (isFreshening = null)));
      else if (isFreshening !== null) await isFreshening;
      const random = choices(own);
      if (random.chance(0.005)) {
        await garbage(node, random);
        continue;
      }
      const request = anyRequest(random);
      const answer = await exchange(node, agent, request);
      statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
      const reason = reasonAgainst(answer);
      if (reason !== null && !hasEnded) found(request, own, reason);
      if (begun % 20_000 === 0) report(begun, findings);
    }
  }
  await freshen(node);
  await Promise.all(Array.from({ length: CONNECTIONS }, connection));
  await sleep(100);
  const rss = hasEnded ? 0 : Math.round(residentPeakMegabytes(node.pid));
  if (!hasEnded) {
    hasEnded = true;
    await node.stop();
  }
  agent.destroy();
  for (const folder of [node.data, repository]) fs.rmSync(path.resolve(folder), { recursive: true, force: true });
  const summary = `answers by status: ${[...statuses]
    .sort(([a], [b]) => a - b)
    .map(([status, count]) => `${status || 'hung up'} ${count}`)
    .join(', ')}; resident at most ${rss} MB`;
  return { inputs: begun, findings, summary };
}
