import fs from 'node:fs';
import { buildAnalysisRegistry } from '@shoal/analysis';
import { mappingOptions, parseDocument, parseMapping } from '@shoal/mapping';
import {
  bitSet,
  memorySegment,
  mergeSegments,
  multiOrdinals,
  openSegment,
  type SegmentReader,
  WINDOW_DOCS,
} from '@shoal/segments';
import { createIndexBuffer } from './index-buffer.js';

/**
 * `node segment-read.bench.js mappings.json data.bulk text-field keyword-field number-field`: nanoseconds of reading a
 * sealed segment.
 */
const [mappingFile, bulkFile, text, keyword, number] = process.argv.slice(2) as [
  string,
  string,
  string,
  string,
  string,
];

async function build(): Promise<SegmentReader> {
  const options = mappingOptions({}, buildAnalysisRegistry({}));
  const mapping = parseMapping(JSON.parse(fs.readFileSync(mappingFile, 'utf8')), options);
  const lines = fs.readFileSync(bulkFile, 'utf8').split('\n');
  const buffer = createIndexBuffer();
  for (let i = 0; 2 * i + 1 < lines.length; i++) {
    const document = parseDocument(mapping, Buffer.from(lines[2 * i + 1]!), { id: `${i}`, nowMs: 0 }, options);
    buffer.add(document.parts, { id: `${i}`, seqNo: i, primaryTerm: 1, version: 1 });
  }
  const memory = memorySegment();
  const reader = buffer.snapshot();
  await mergeSegments([{ reader, live: null, maxDoc: reader.maxDoc }], memory);
  return openSegment(memory.source('bench'));
}

const cpuMicros = (): number => {
  const { user, system } = process.cpuUsage();
  return user + system;
};

/**
 * Returns the median of 9 runs of at least 20 ms of CPU, in nanoseconds for each of the operations that `work` returns
 * the number of.
 */
function measure(what: string, work: () => number): void {
  const times: number[] = [];
  for (let run = 0; run < 9; run++) {
    const start = cpuMicros();
    let units = 0;
    while (cpuMicros() - start < 20_000) units += work();
    times.push(((cpuMicros() - start) * 1000) / units);
  }
  times.sort((a, b) => a - b);
  console.log(
    what.padEnd(40),
    times[4]!.toFixed(2).padStart(10),
    'ns',
    `(${times[0]!.toFixed(2)} - ${times[8]!.toFixed(2)})`,
  );
}

const reader = await build();
const terms = reader.terms(text)!;
const keywords = reader.terms(keyword)!;
const common = Array.from({ length: terms.termCount }, (_, o) => o)
  .sort((a, b) => terms.docFreq(b) - terms.docFreq(a))
  .slice(0, 20);
const sample = Array.from({ length: 500 }, (_, i) => keywords.term(Math.floor((i * keywords.termCount) / 500)));

const walk = (freqs: boolean, positions: boolean): number => {
  let sum = 0;
  for (const ordinal of common) {
    const cursor = terms.postings(ordinal);
    for (let size = cursor.nextBlock(); size > 0; size = cursor.nextBlock()) {
      sum += size;
      if (freqs) sum += cursor.freqs[0]! & 0;
      if (positions) for (let i = 0; i < size; i++) cursor.positions(i);
    }
  }
  return sum;
};
measure('posting, documents', () => walk(false, false));
measure('posting, documents and frequencies', () => walk(true, false));
measure('posting, positions too', () => walk(true, true));
measure('impacts of a block', () => {
  let blocks = 0;
  for (const ordinal of common) {
    const cursor = terms.postings(ordinal);
    for (let last = cursor.shallowAdvance(0); last < reader.maxDoc; last = cursor.shallowAdvance(last + 1), blocks++)
      cursor.impacts();
  }
  return blocks;
});
measure('cursor on a common term', () => common.map((o) => terms.postings(o)).length);
measure('look-up of a term', () => sample.map((t) => keywords.lookup(t)).length);
measure('term of an ordinal', () => sample.map((_, i) => keywords.term((i * 7919) % keywords.termCount)).length);
measure('next term of a cursor', () => {
  const cursor = keywords.cursor();
  let length = 0;
  while (cursor.next()) length += cursor.term.length & 0;
  return keywords.termCount + length;
});
const docs = Int32Array.from({ length: WINDOW_DOCS }, (_, i) => i);
const windows = Math.floor(reader.maxDoc / WINDOW_DOCS);
measure('number of a column, window', () => {
  const column = reader.numbers(number)!;
  const out = new Float64Array(WINDOW_DOCS);
  for (let w = 0; w < windows; w++) column.readRange(w * WINDOW_DOCS, (w + 1) * WINDOW_DOCS, out);
  return windows * WINDOW_DOCS;
});
measure('number of a column, one in 64 documents', () => {
  const column = reader.numbers(number)!;
  const some = Int32Array.from({ length: reader.maxDoc >>> 6 }, (_, i) => i * 64);
  column.read(some, some.length, new Float64Array(some.length));
  return some.length;
});
measure('ordinals of a document, window', () => {
  const column = reader.ordinals(keyword)!;
  const out = multiOrdinals();
  let values = 0;
  for (let w = 0; w < windows; w++) {
    column.readAll(
      docs.map((d) => d + w * WINDOW_DOCS),
      WINDOW_DOCS,
      out,
    );
    values += out.starts[WINDOW_DOCS]!;
  }
  return values;
});
const all = new Float64Array(reader.maxDoc);
reader.numbers(number)!.readRange(0, reader.maxDoc, all);
const median = all.sort()[all.length >>> 1]!;
measure('points, half of the documents', () => {
  const bits = bitSet(reader.maxDoc);
  reader.points(number)!.collect(median, Infinity, bits);
  return bits.cardinality();
});
measure('document of an id', () => sample.map((_, i) => reader.findId(`${i}`)).length);
