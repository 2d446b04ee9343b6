// An access log through a pipeline (grok, date, geoip, user_agent, convert, remove), beside another server on the same
// lines in turns: documents a second and processor time of a document, with the pipeline and without one. Servers have
// to run already. A processor that a target does not have is left out of its pipeline, and out of that of `common`,
// which all targets run alike.
// Usage: node test/bench/access-log.mjs --target shoal=http://127.0.0.1:9200,PID [--target opensearch=http://...,PID]
//   [--documents 50000] [--rounds 3] [--only REGEX]
import http from 'node:http';
import { parseArgs } from 'node:util';
import { cpuSeconds } from './processes.mjs';

const { values: options } = parseArgs({
  options: {
    target: { type: 'string', multiple: true, default: [] },
    documents: { type: 'string', default: '50000' },
    rounds: { type: 'string', default: '3' },
    only: { type: 'string', default: '' },
  },
});
const INDEX = 'access-log-costs';
const PIECE = 1000;
const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
const targets = options.target.map((text) => {
  const [, name, url, pid] = /^(\w+)=(.+),(\d+)$/.exec(text) ?? [];
  if (name === undefined) throw new Error(`--target ${text} is not NAME=URL,PID`);
  return { name, url, pid: Number(pid) };
});

const PROCESSORS = [
  { grok: { field: 'message', patterns: ['%{COMBINEDAPACHELOG}'] } },
  { date: { field: 'timestamp', formats: ['dd/MMM/yyyy:HH:mm:ss Z'] } },
  { geoip: { field: 'clientip', ignore_missing: true } },
  { user_agent: { field: 'agent' } },
  { convert: { field: 'response', type: 'integer' } },
  { convert: { field: 'bytes', type: 'long', ignore_missing: true } },
  { remove: { field: ['message', 'timestamp', 'agent'] } },
];
const BROWSERS = [
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0.0.0 Safari/537.36',
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.1 Safari/605.1',
  'Mozilla/5.0 (X11; Ubuntu; Linux x86_64; rv:120.0) Gecko/20100101 Firefox/120.0',
  'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
  'curl/8.4.0',
];

function request({ url }, method, path, body) {
  const type = path.includes('_bulk') ? 'application/x-ndjson' : 'application/json';
  return new Promise((resolve, reject) => {
    const sent = http.request(`${url}${path}`, { method, agent, headers: { 'content-type': type } }, (answer) => {
      const chunks = [];
      answer.on('data', (chunk) => chunks.push(chunk));
      answer.on('end', () => {
        const json = JSON.parse(Buffer.concat(chunks).toString() || '{}');
        if (answer.statusCode < 300 && json.errors !== true) resolve(json);
        else reject(new Error(`${method} ${path}: ${answer.statusCode} ${JSON.stringify(json).slice(0, 400)}`));
      });
    });
    sent.on('error', reject);
    sent.end(body === undefined || typeof body === 'string' ? body : JSON.stringify(body));
  });
}

const two = (number) => String(number).padStart(2, '0');

/** A line of the log; its parts depend on its number alone. */
function lineOf(i) {
  const hash = Math.imul(i + 1, 0x9e3779b1) >>> 0;
  const ip = `${1 + (hash % 223)}.${(hash >>> 8) & 255}.${(hash >>> 16) & 255}.${i & 255}`;
  const time = `${two(1 + (i % 28))}/May/2015:${two(hash % 24)}:${two(i % 60)}:${two((hash >>> 5) % 60)} +0000`;
  const page = `GET /pages/${hash % 1000}/index${i % 37}.html HTTP/1.1`;
  const browser = BROWSERS[hash % BROWSERS.length].replace('120', String(90 + (hash % 40)));
  const head = `${ip} - - [${time}] "${page}" ${i % 9 === 0 ? 404 : 200} ${hash % 100_000}`;
  return `${head} "http://example.com/${i % 100}" "${browser}"`;
}

function pieces(documents) {
  const made = [];
  for (let from = 0; from < documents; from += PIECE) {
    let body = '';
    for (let i = from; i < Math.min(documents, from + PIECE); i++)
      body += `{"create":{}}\n${JSON.stringify({ message: lineOf(i) })}\n`;
    made.push(body);
  }
  return made;
}

async function processorTypes(target) {
  const { nodes } = await request(target, 'GET', '/_nodes/ingest');
  return new Set(Object.values(nodes).flatMap(({ ingest }) => ingest.processors.map(({ type }) => type)));
}

const knownBy = (types) => PROCESSORS.filter((one) => types.has(Object.keys(one)[0]));

/** Sends all lines into a new index; returns wall and processor seconds of the target. */
async function run(target, bodies, pipeline) {
  await request(target, 'DELETE', `/${INDEX}?ignore_unavailable=true`);
  const settings = { number_of_shards: 1, number_of_replicas: 0, refresh_interval: '-1' };
  await request(target, 'PUT', `/${INDEX}`, { settings });
  const [cpu, start] = [cpuSeconds(target.pid), performance.now()];
  for (const body of bodies) await request(target, 'POST', `/${INDEX}/_bulk${pipeline}`, body);
  return { wall: (performance.now() - start) / 1000, cpu: cpuSeconds(target.pid) - cpu };
}

const median = (numbers) => [...numbers].sort((a, b) => a - b)[numbers.length >> 1];
const documents = Number(options.documents);
const bodies = pieces(documents);
const types = await Promise.all(targets.map(processorTypes));
const common = PROCESSORS.filter((one) => types.every((known) => known.has(Object.keys(one)[0])));
for (const [i, target] of targets.entries()) {
  await request(target, 'PUT', '/_ingest/pipeline/access-log-full', { processors: knownBy(types[i]) });
  await request(target, 'PUT', '/_ingest/pipeline/access-log-common', { processors: common });
}
const VARIANTS = {
  'no pipeline': '',
  common: '?pipeline=access-log-common',
  'all that it has': '?pipeline=access-log-full',
};
const names = (processors) => processors.map((one) => Object.keys(one)[0]).join(', ');
process.stdout.write(`common: ${names(common)}\n`);
for (const [i, target] of targets.entries()) process.stdout.write(`${target.name}: ${names(knownBy(types[i]))}\n`);
for (const [variant, pipeline] of Object.entries(VARIANTS)) {
  if (!new RegExp(options.only).test(variant)) continue;
  const runs = targets.map(() => []);
  for (const target of targets) await run(target, bodies.slice(0, 10), pipeline);
  for (let round = 0; round < Number(options.rounds); round++)
    for (const [i, target] of targets.entries()) runs[i].push(await run(target, bodies, pipeline));
  const micros = runs.map((one) => (median(one.map(({ cpu }) => cpu)) / documents) * 1e6);
  const rates = runs.map((one) => documents / median(one.map(({ wall }) => wall)));
  const shown = targets.map(({ name }, i) => `${name} ${micros[i].toFixed(1)} us of CPU, ${Math.round(rates[i])}/s`);
  const ratio = micros.length > 1 ? `   ratio of CPU ${(micros[0] / micros[1]).toFixed(2)}` : '';
  process.stdout.write(`${variant.padEnd(16)} ${shown.join('   ')}${ratio}\n`);
}
for (const target of targets) {
  await request(target, 'DELETE', `/${INDEX}`);
  for (const name of ['access-log-full', 'access-log-common'])
    await request(target, 'DELETE', `/_ingest/pipeline/${name}`);
}
agent.destroy();
