import fs from 'node:fs';
import { buildAnalysisRegistry } from '@shoal/analysis';
import { mappingOptions, type ParsedDocument, parseDocument, parseMapping } from '@shoal/mapping';
import { memorySegment, mergeSegments, openSegment, type SegmentReader } from '@shoal/segments';
import { createIndexBuffer, type IndexBuffer } from './index-buffer.js';

/**
 * `node buffer.bench.js mappings.json data.bulk [documents a segment]`: CPU of filling, sealing and merging, and bytes
 * by part.
 */
const [mappingFile, bulkFile, perSegmentText] = process.argv.slice(2);
const perSegment = Number(perSegmentText ?? 65_536);
const options = mappingOptions({}, buildAnalysisRegistry({}));
const mapping = parseMapping(JSON.parse(fs.readFileSync(mappingFile!, 'utf8')), options);
const lines = fs.readFileSync(bulkFile!, 'utf8').split('\n');

const cpu = { parse: 0, add: 0, seal: 0, merge: 0 };

function timed<T>(what: keyof typeof cpu, work: () => T): T {
  const start = process.cpuUsage();
  const result = work();
  const used = process.cpuUsage(start);
  cpu[what] += (used.user + used.system) / 1000;
  return result;
}

async function timedAsync<T>(what: keyof typeof cpu, work: () => Promise<T>): Promise<T> {
  const start = process.cpuUsage();
  const result = await work();
  const used = process.cpuUsage(start);
  cpu[what] += (used.user + used.system) / 1000;
  return result;
}

async function write(inputs: readonly SegmentReader[], id: string, what: 'seal' | 'merge'): Promise<SegmentReader> {
  const memory = memorySegment();
  await timedAsync(what, () =>
    mergeSegments(
      inputs.map((reader) => ({ reader, live: null, maxDoc: reader.maxDoc })),
      memory,
    ),
  );
  if (what === 'merge') {
    for (const [part, chunks] of memory.parts)
      console.log(part.padEnd(10), (chunks.reduce((n, c) => n + c.length, 0) / 1e3).toFixed(0).padStart(8), 'kB');
  }
  return openSegment(memory.source(id));
}

function parse(i: number): { id: string; document: ParsedDocument } {
  const id = JSON.parse(lines[2 * i]!).index._id as string;
  return { id, document: parseDocument(mapping, Buffer.from(lines[2 * i + 1]!), { id, nowMs: 0 }, options) };
}

/** Parses alone first, then parses and adds: the difference is the cost of `add`. */
function fill(buffer: IndexBuffer, from: number, to: number): void {
  let parts = 0;
  timed('parse', () => {
    for (let i = from; i < to; i++) parts += parse(i).document.parts.length;
  });
  timed('add', () => {
    for (let i = from; i < to; i++) {
      const { id, document } = parse(i);
      buffer.add(document.parts, { id, seqNo: i, primaryTerm: 1, version: 1 });
    }
  });
}

const total = (lines.length - 1) >>> 1;
const sealed: SegmentReader[] = [];
for (let from = 0; from < total; from += perSegment) {
  const buffer = createIndexBuffer();
  fill(buffer, from, Math.min(from + perSegment, total));
  console.log(`buffer of ${buffer.docCount} documents: ${(buffer.memoryBytes / 1e6).toFixed(1)} MB`);
  sealed.push(await write([buffer.snapshot()], `s${from}`, 'seal'));
}
const merged = await write(sealed, 'm', 'merge');
cpu.add -= cpu.parse;
for (const [what, ms] of Object.entries(cpu))
  console.log(what.padEnd(6), ms.toFixed(0).padStart(6), 'ms', ((ms * 1000) / total).toFixed(2), 'us a document');
console.log(`${total} documents, ${(merged.byteSize / 1e6).toFixed(2)} MB`);
