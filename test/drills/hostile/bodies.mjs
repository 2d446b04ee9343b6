// Attacks by bodies: large ones of small values, ones that grow when they are parsed, deep ones; and by answers that
// nobody reads.
import { gzipSync } from 'node:zlib';
import { connect, once, send } from './send.mjs';

const MB = 2 ** 20;
const CBOR = { 'content-type': 'application/cbor' };
const YAML = { 'content-type': 'application/yaml' };
const NDJSON = { 'content-type': 'application/x-ndjson' };
const GZIP = { 'content-encoding': 'gzip' };

/** `bytes` of `unit` again and again between `open` and `close`; the last unit is whole and has no comma. */
export function repeated(open, unit, close, bytes) {
  const count = Math.max(1, Math.floor((bytes - open.length - close.length) / unit.length));
  const middle = Buffer.alloc(count * unit.length, unit, 'latin1');
  if (unit.endsWith(',')) middle[middle.length - 1] = 0x20;
  return Buffer.concat([Buffer.from(open, 'latin1'), middle, Buffer.from(close, 'latin1')]);
}

/** An object of distinct keys in `bytes`. */
function manyKeys(bytes, member = (i) => `"k${i.toString(36)}":1`) {
  const parts = [];
  let length = 2;
  for (let i = 0; length < bytes; i++) {
    const text = member(i);
    parts.push(text);
    length += text.length + 1;
  }
  return Buffer.from(`{${parts.join(',')}}`);
}

const JSON_BODIES = {
  'empty lists': (bytes) => repeated('{"a":[', '[],', ']}', bytes),
  'empty objects': (bytes) => repeated('{"a":[', '{},', ']}', bytes),
  numbers: (bytes) => repeated('{"a":[', '1,', ']}', bytes),
  'large integers': (bytes) => repeated('{"a":[', '9007199254740993,', ']}', bytes),
  keys: (bytes) => manyKeys(bytes),
  'deep lists': (bytes) => Buffer.alloc(bytes, '['),
  'fault at the end': (bytes) => repeated('{"a":[', '[],', ']', bytes),
  'one string': (bytes) => repeated('{"a":"', 'x', '"}', bytes),
};

const CBOR_BODIES = {
  'empty lists': (bytes) => repeated('\x9f', '\x80', '\xff', bytes),
  numbers: (bytes) => repeated('\x9f', '\x01', '\xff', bytes),
  deep: (bytes) => Buffer.alloc(bytes, 0x81),
  'big lengths': () => Buffer.from([0x9b, 0, 0, 0, 0, 0x7f, 0xff, 0xff, 0xff]),
};

const YAML_BODIES = {
  keys: (bytes) => Buffer.from(manyKeys(bytes).toString().slice(1, -1).replaceAll(',', '\n').replaceAll('":', '": ')),
  'deep flow': (bytes) => Buffer.alloc(bytes, '['),
  'deep block': (bytes) => Buffer.alloc(bytes, '- '),
  list: (bytes) => repeated('', '- a\n', '', bytes),
  anchors: () =>
    Buffer.from(
      Array.from(
        { length: 12 },
        (_, i) => `a${i}: &a${i} [${Array.from({ length: 9 }, () => (i ? `*a${i - 1}` : 'x'))}]`,
      ).join('\n'),
    ),
};

/** A list nested 40 times over, each level twice the one before: tags 28 (shareable) and 29 (shared). */
function cborShared() {
  const levels = 40;
  const parts = [Buffer.from([0x98, levels])];
  for (let i = 0; i < levels; i++) {
    const reference = i === 0 ? [0x01] : [0xd8, 29, ...(i - 1 < 24 ? [i - 1] : [0x18, i - 1])];
    parts.push(Buffer.from([0xd8, 28, 0x82, ...reference, ...reference]));
  }
  return Buffer.concat(parts);
}

const searches = Object.entries(JSON_BODIES).map(([name, body]) =>
  once(`search, JSON of 95 MB, ${name}`, (node) => send(node, 'POST', '/_search', body(95 * MB)), { isLong: true }),
);
const shortSearches = Object.entries(JSON_BODIES).map(([name, body]) =>
  once(`search, JSON of 9 MB, ${name}`, (node) => send(node, 'POST', '/_search', body(9 * MB))),
);
const cbor = Object.entries(CBOR_BODIES).flatMap(([name, body]) => [
  once(`search, CBOR of 95 MB, ${name}`, (node) => send(node, 'POST', '/_search', body(95 * MB), CBOR), {
    isLong: true,
  }),
  once(`search, CBOR of 1 MB, ${name}`, (node) => send(node, 'POST', '/_search', body(MB), CBOR)),
]);
const yaml = Object.entries(YAML_BODIES).flatMap(([name, body]) => [
  once(`search, YAML of 20 MB, ${name}`, (node) => send(node, 'POST', '/_search', body(20 * MB), YAML), {
    isLong: true,
  }),
  once(`search, YAML of 0.9 MB, ${name}`, (node) => send(node, 'POST', '/_search', body(0.9 * MB), YAML)),
]);

const ROUTES = [
  ['PUT', '/hostile-index'],
  ['PUT', '/_template/hostile'],
  ['PUT', '/_index_template/hostile'],
  ['PUT', '/_component_template/hostile'],
  ['PUT', '/_cluster/settings'],
  ['PUT', '/_ingest/pipeline/hostile'],
  ['PUT', '/hostile/_settings'],
  ['PUT', '/hostile/_mapping'],
  ['POST', '/_aliases'],
  ['POST', '/_analyze'],
  ['POST', '/_mget'],
  ['PUT', '/_scripts/hostile'],
  ['POST', '/hostile/_count'],
  ['POST', '/hostile/_update/1'],
  ['PUT', '/hostile/_doc/1'],
];
const routes = ROUTES.flatMap(([method, path]) =>
  ['empty lists', 'keys'].map((name) =>
    once(`${method} ${path}, JSON of 9 MB, ${name}`, (node) => send(node, method, path, JSON_BODIES[name](9 * MB))),
  ),
);
const largeRoutes = ROUTES.map(([method, path]) =>
  once(
    `${method} ${path}, JSON of 95 MB, empty lists`,
    (node) => send(node, method, path, JSON_BODIES['empty lists'](95 * MB)),
    { isLong: true },
  ),
);

/** One line of NDJSON that is a large document. */
const bulkOf = (body) => Buffer.concat([Buffer.from('{"index":{"_index":"hostile-bulk"}}\n'), body, Buffer.from('\n')]);
const bulks = ['empty lists', 'numbers', 'keys', 'large integers'].flatMap((name) => [
  once(
    `bulk, one document of 95 MB, ${name}`,
    (node) => send(node, 'POST', '/_bulk', bulkOf(JSON_BODIES[name](94 * MB)), NDJSON),
    {
      isLong: true,
    },
  ),
  once(`bulk, one document of 9 MB, ${name}`, (node) =>
    send(node, 'POST', '/_bulk', bulkOf(JSON_BODIES[name](9 * MB)), NDJSON),
  ),
]);

/** Requests on one socket at once. Resolves with 200 if the node still holds the connection after `seconds`, else 0. */
async function pipelined(node, path, count, { isRead, seconds }) {
  const request = `GET ${path} HTTP/1.1\r\nhost: n\r\n\r\n`;
  const { socket, closed } = await connect(node, request.repeat(count), { isRead });
  const isClosed = await Promise.race([
    closed.then(() => true),
    new Promise((go) => setTimeout(go, seconds * 1000, false)),
  ]);
  socket.destroy();
  return isClosed ? 0 : 200;
}

const answers = [
  once('2,000 requests at once on a socket', (node) =>
    pipelined(node, '/_nodes/stats', 2_000, { isRead: true, seconds: 5 }),
  ),
  {
    name: '8 connections with 2,000 requests each, no answer is read',
    run: (node) =>
      Promise.all(
        Array.from({ length: 8 }, () => pipelined(node, '/_nodes/stats', 2_000, { isRead: false, seconds: 8 })),
      ),
  },
];

/** All attacks by bodies. */
export const bodyAttacks = [
  ...shortSearches,
  once('search, 96 KB of gzip that are 95 MB of empty lists', (node) =>
    send(node, 'POST', '/_search', gzipSync(JSON_BODIES['empty lists'](95 * MB)), GZIP),
  ),
  {
    name: 'search, JSON of 9 MB, empty lists, four clients',
    run: (node) => {
      const body = JSON_BODIES['empty lists'](9 * MB);
      return Promise.all(Array.from({ length: 4 }, () => send(node, 'POST', '/_search', body)));
    },
  },
  once('search, CBOR of 370 bytes, shared references', (node) => send(node, 'POST', '/_search', cborShared(), CBOR)),
  ...cbor,
  ...yaml,
  ...routes,
  ...bulks,
  ...answers,
  ...searches,
  {
    name: 'search, JSON of 95 MB, empty lists, four clients',
    isLong: true,
    run: (node) => {
      const body = JSON_BODIES['empty lists'](95 * MB);
      return Promise.all(Array.from({ length: 4 }, () => send(node, 'POST', '/_search', body)));
    },
  },
  ...largeRoutes,
];
