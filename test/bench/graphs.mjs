// Graphs over given vectors without a server: what a processor takes to make them, and for a search with a number of
// candidates, the share of the ten nearest that is found, bytes and memory.
// Usage: node test/bench/graphs.mjs FILE [dims=100] [count=100000] [queries=1000] [type=hnsw|int8_hnsw|byte]
//   [similarity=cosine] [m=16] [ef=100] [segments=1] [memory=256] [cache=128] [candidates=10,20,50] [rounds=3]
// FILE has rows of 32-bit floats, little endian; the last rows are the queries. `memory` (MB) is what a merge may take
// for a graph, `cache` (MB) what searches hold rows in. Searches are measured in rounds, of which the fastest counts.
import fs from 'node:fs';
import { NearestSearch } from '../../packages/query/dist/execute/nearest-search.js';
import {
  encodeVector,
  memorySegment,
  mergeSegments,
  NO_MORE_DOCS,
  openSegment,
  simdRows,
  VectorRowCache,
  vectorRows,
  vectorStride,
} from '../../packages/segments/dist/index.js';
import { layoutOf, readerOf } from '../../packages/segments/dist/testing/plain-vectors.js';

const K = 10;
const FILTER_SHARES = [0.5, 0.05, 0.005];

const [file, ...options] = process.argv.slice(2);
const given = Object.fromEntries(options.map((option) => option.split('=')));
const { type = 'hnsw', similarity = 'cosine' } = given;
const number = (key, absent) => Number(given[key] ?? absent);
const [dims, count, queryCount, segments] = [
  number('dims', 100),
  number('count', 100_000),
  number('queries', 1000),
  number('segments', 1),
];
const widths = (given.candidates ?? '10,20,50,100,200').split(',').map(Number);
const layout = {
  dims,
  element: type === 'byte' ? 'byte' : 'float',
  similarity,
  graph: {
    m: number('m', 16),
    efConstruction: number('ef', 100),
    ...(type === 'int8_hnsw' ? { confidence: 1 - 1 / (dims + 1) } : {}),
  },
};
const field = layoutOf(layout);

const seconds = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
};
const residentMb = () => (process.memoryUsage.rss() / 1e6).toFixed(0);

function rowOf(bytes, row) {
  const floats = new Float32Array(bytes.buffer, bytes.byteOffset + row * dims * 4, dims);
  return type === 'byte'
    ? Int8Array.from(floats, (value) => Math.max(-128, Math.min(127, Math.round(value * 32))))
    : floats;
}

/** A segment as a merge reads it. */
function input(bytes, first, rows) {
  const stride = vectorStride(layout);
  const column = {
    layout,
    isSingleValued: true,
    docsWithField: rows,
    valueCount: rows,
    nextDocWithField: (target) => (target < rows ? target : NO_MORE_DOCS),
    rowOf: (doc) => doc,
    docsOfRows: () => null,
    rows: (row) => vectorRows(encodeVector(rowOf(bytes, first + row), layout), row, 1, stride),
  };
  return { reader: readerOf(rows, { vectors: () => column }, field), live: null, maxDoc: rows };
}

/** Every so many documents, as a filter. */
const filterOf = (share) => ({
  matcher: ({ maxDoc }) => {
    const step = Math.round(1 / share);
    const next = (target) => {
      const doc = Math.ceil(target / step) * step;
      return doc < maxDoc ? doc : NO_MORE_DOCS;
    };
    return {
      cost: maxDoc * share,
      next,
      maxScore: () => 0,
      window(from, to, docs) {
        let found = 0;
        for (let doc = next(from); doc < to; doc = next(doc + 1)) docs[found++] = doc;
        return found;
      },
    };
  },
});

const planOf = (vector, candidates, isExact) => ({
  kind: 'nearest',
  field: 'v',
  layout: field,
  vector,
  k: K,
  candidates,
  recall: null,
  isExact,
  filter: null,
  similarity: null,
  isNested: false,
  isGlobal: true,
  boost: 1,
});

function search(searcher, vector, candidates, { isExact = false, filter = null } = {}) {
  const one = new NearestSearch(planOf(vector, candidates, isExact), filter, searcher);
  const found = searcher.segments.flatMap((view) => {
    const own = one.found(view);
    return own === null ? [] : Array.from(own.docs, (doc, i) => [own.scores[i], view.docBase + doc]);
  });
  return { docs: found.map(([, doc]) => doc), report: one.report };
}

/** Runs all queries some times; returns the CPU ms of a query in the fastest round, and what was found. */
function measure(searcher, queries, candidates, more) {
  let best = Number.POSITIVE_INFINITY;
  let found = [];
  for (let round = 0; round < number('rounds', 3); round++) {
    const before = seconds();
    found = queries.map((vector) => search(searcher, vector, candidates, more));
    best = Math.min(best, ((seconds() - before) * 1000) / queries.length);
  }
  return { ms: best, found };
}

const shareFound = (found, exact) =>
  found.reduce((sum, { docs }, i) => sum + docs.filter((doc) => exact[i].docs.includes(doc)).length, 0) /
  exact.reduce((sum, { docs }) => sum + docs.length, 0);

function compare(searcher, queries, title, more) {
  const exact = measure(searcher, queries, K, { ...more, isExact: true });
  console.log(`${title}: all compared, CPU ms ${exact.ms.toFixed(3)}`);
  for (const width of widths) {
    const { ms, found } = measure(searcher, queries, width, more);
    const compared = found.reduce((sum, { report }) => sum + report.compared, 0) / found.length;
    console.log(
      `${title}: ${width} candidates, recall ${shareFound(found, exact.found).toFixed(3)}, CPU ms ${ms.toFixed(3)}, ` +
        `${compared.toFixed(0)} compared`,
    );
  }
}

const bytes = fs.readFileSync(file);
const rows = bytes.length / (dims * 4);
const queries = Array.from({ length: queryCount }, (_, i) => encodeVector(rowOf(bytes, rows - queryCount + i), layout));
const views = [];
const started = seconds();
const sizes = new Map();
let peakMb = 0;
for (let i = 0, docBase = 0; i < segments; i++) {
  const size = Math.floor((count * (i + 1)) / segments) - docBase;
  const memory = memorySegment();
  const graphs = { rowsMin: 1000, bytesMax: number('memory', 256) * 1e6 };
  const rest = () => void (peakMb = Math.max(peakMb, process.memoryUsage.rss() / 1e6));
  await mergeSegments([input(bytes, docBase, size)], memory, { graphs, rest });
  rest();
  for (const [part, chunks] of memory.parts)
    sizes.set(part, (sizes.get(part) ?? 0) + chunks.reduce((sum, chunk) => sum + chunk.length, 0));
  const reader = openSegment(memory.source(`s${i}`));
  views.push({ reader, live: null, docBase, maxDoc: size, liveCount: size, version: String(i) });
  docBase += size;
}
console.log(
  `${count} vectors, ${segments} segments, ${type}: made in CPU s ${(seconds() - started).toFixed(1)}, ` +
    `${views.map(({ reader }) => reader.vectors('v').graphs.length).join(' ')} graphs, ` +
    `RSS MB ${peakMb.toFixed(0)}, MB ` +
    [...sizes].map(([part, size]) => `${part} ${(size / 1e6).toFixed(1)}`).join(' '),
);
const kept = new Map();
const cache = {
  vectorRows: new VectorRowCache(number('cache', 128) * 1e6),
  get: (key, make) => kept.get(key) ?? (kept.set(key, make().value), kept.get(key)),
};
kept.set('simd rows', simdRows());
const searcher = { segments: views, cache };
compare(searcher, queries, 'all documents');
for (const share of FILTER_SHARES)
  compare(searcher, queries.slice(0, 200), `filter of ${100 * share} %`, { filter: filterOf(share) });
console.log(`RSS MB ${residentMb()}`);
