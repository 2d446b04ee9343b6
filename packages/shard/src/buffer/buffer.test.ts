import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compareTerms } from '@shoal/codec';
import {
  type BitSet,
  bitSet,
  CHUNK_BYTES_MAX,
  type FieldEntry,
  type FieldLayout,
  fullBitSet,
  intToByte4,
  latDegrees,
  lonDegrees,
  memorySegment,
  mergeSegments,
  multiNumbers,
  multiOrdinals,
  NO_MORE_DOCS,
  openSegment,
  quantiseLat,
  quantiseLon,
  type SegmentReader,
} from '@shoal/segments';
import { anyText, runs } from '@shoal/testing';
import fc from 'fast-check';
import { createIndexBuffer } from './index-buffer.js';

const TEXT: FieldLayout = {
  name: 'text',
  terms: { freqs: true, positions: true, norms: true },
  column: null,
  points: false,
};
const TAGS: FieldLayout = {
  name: 'tags',
  terms: { freqs: false, positions: false, norms: false },
  column: 'ordinals',
  points: false,
};
const KEY: FieldLayout = { name: 'key', terms: null, column: 'ordinals', points: false };
const NUM: FieldLayout = { name: 'num', terms: null, column: 'long', points: true };
const HIDDEN: FieldLayout = { name: 'hidden', terms: null, column: null, points: true };
const DOUBLE: FieldLayout = { name: 'double', terms: null, column: 'double', points: true };
const GEO: FieldLayout = { name: 'geo', terms: null, column: 'geo', points: true };
const BIN: FieldLayout = { name: 'bin', terms: null, column: 'binary', points: false };

interface Doc {
  readonly text: readonly string[];
  readonly tags: readonly string[];
  readonly key: readonly string[];
  readonly num: readonly (number | bigint)[];
  readonly double: readonly number[];
  readonly geo: readonly [number, number][];
  readonly bin: Uint8Array | null;
  readonly nested: number;
}

function entriesOf(doc: Doc): FieldEntry[] {
  const entries: FieldEntry[] = [];
  if (doc.text.length > 0)
    entries.push({
      kind: 'tokens',
      layout: TEXT,
      terms: doc.text,
      positions: doc.text.map((_, i) => i * 2),
      length: doc.text.length,
    });
  for (const tag of doc.tags) entries.push({ kind: 'terms', layout: TAGS, terms: [tag] });
  if (doc.key.length > 0) entries.push({ kind: 'terms', layout: KEY, terms: doc.key });
  if (doc.num.length > 0)
    entries.push(
      { kind: 'numbers', layout: NUM, values: doc.num },
      { kind: 'numbers', layout: HIDDEN, values: doc.num },
    );
  if (doc.double.length > 0) entries.push({ kind: 'numbers', layout: DOUBLE, values: doc.double });
  if (doc.geo.length > 0) entries.push({ kind: 'points', layout: GEO, values: doc.geo.flat() });
  if (doc.bin !== null) entries.push({ kind: 'binary', layout: BIN, value: doc.bin });
  return entries;
}

const EMPTY: Doc = { text: [], tags: [], key: [], num: [], double: [], geo: [], bin: null, nested: 0 };

/** A document as the reference model has it: `id` is null for nested documents. */
interface Expected extends Doc {
  readonly id: string | null;
}

function load(docs: readonly Doc[], firstId: number): { reader: SegmentReader; expected: Expected[] } {
  const buffer = createIndexBuffer();
  const expected: Expected[] = [];
  docs.forEach((doc, i) => {
    const id = `id-${firstId + i}`;
    const nested = Array.from({ length: doc.nested }, (_, n) => ({
      entries: [{ kind: 'numbers', layout: NUM, values: [n] }] as FieldEntry[],
      nestedPath: 'n',
    }));
    for (let n = 0; n < doc.nested; n++) expected.push({ ...EMPTY, num: [n], id: null });
    expected.push({ ...doc, id });
    const root = buffer.add([...nested, { entries: entriesOf(doc), nestedPath: null }], {
      id,
      seqNo: firstId + i,
      primaryTerm: 1,
      version: 3,
    });
    assert.equal(root, expected.length - 1);
  });
  return { reader: buffer.snapshot(), expected };
}

const sortedBig = (values: readonly (number | bigint)[]): bigint[] =>
  values.map((v) => BigInt(v)).sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));

function collected(bits: BitSet): number[] {
  const docs: number[] = [];
  for (let doc = bits.next(0); doc !== NO_MORE_DOCS; doc = bits.next(doc + 1)) docs.push(doc);
  return docs;
}

const where = (docs: readonly Expected[], test: (doc: Expected) => boolean): number[] =>
  docs.flatMap((doc, i) => (test(doc) ? [i] : []));

const distinctSorted = (terms: Iterable<string>): string[] =>
  [...new Set([...terms].map((t) => Buffer.from(t).toString()))].sort(compareTerms);

/** Returns the positions of each term, by document. */
function invert(docs: readonly Expected[], field: 'text' | 'tags'): Map<string, Map<number, number[]>> {
  const inverted = new Map<string, Map<number, number[]>>();
  docs.forEach((doc, i) => {
    doc[field].forEach((raw, p) => {
      const term = Buffer.from(raw).toString();
      const postings = inverted.get(term) ?? new Map<number, number[]>();
      inverted.set(term, postings);
      postings.set(i, [...(postings.get(i) ?? []), 2 * p]);
    });
  });
  return inverted;
}

function checkPostings(reader: SegmentReader, docs: readonly Expected[], field: 'text' | 'tags'): void {
  const inverted = invert(docs, field);
  const all = distinctSorted(inverted.keys());
  const terms = reader.terms(field);
  if (all.length === 0) {
    assert.equal(terms?.termCount ?? 0, 0);
    return;
  }
  assert.ok(terms);
  assert.equal(terms.termCount, all.length);
  assert.equal(terms.docCount, docs.filter((d) => d[field].length > 0).length);
  const cursor = terms.cursor();
  let reuse: ReturnType<typeof terms.postings> | undefined;
  for (const term of all) {
    assert.ok(cursor.next());
    assert.equal(cursor.term, term);
    assert.equal(terms.lookup(term), cursor.ordinal);
    assert.equal(terms.term(cursor.ordinal), term);
    const wanted = [...inverted.get(term)!.keys()];
    assert.equal(terms.docFreq(cursor.ordinal), wanted.length);
    reuse = terms.postings(cursor.ordinal, reuse);
    const freqs = wanted.map((i) => (field === 'tags' ? 1 : inverted.get(term)!.get(i)!.length));
    assert.equal(
      terms.totalTermFreq(cursor.ordinal),
      freqs.reduce((a, b) => a + b, 0),
    );
    let n = 0;
    for (let size = reuse.nextBlock(); size > 0; size = reuse.nextBlock()) {
      for (let i = 0; i < size; i++, n++) {
        assert.equal(reuse.docs[i], wanted[n]);
        assert.equal(reuse.freqs[i], freqs[n]);
        if (field === 'tags') continue;
        const positions = inverted.get(term)!.get(wanted[n]!)!;
        assert.equal(reuse.positions(i), positions.length);
        assert.deepEqual([...reuse.positionBuffer.subarray(0, positions.length)], positions);
      }
    }
    assert.equal(n, wanted.length);
  }
  assert.equal(cursor.next(), false);
  for (const probe of ['', 'm', 'zz', '\u{1F600}', ...all.slice(0, 3).map((t) => `${t}!`)]) {
    const expected = all.find((t) => compareTerms(t, probe) >= 0);
    const other = terms.cursor();
    assert.equal(other.seek(probe), expected !== undefined);
    if (expected !== undefined) assert.equal(other.term, expected);
    if (!all.includes(probe)) assert.equal(terms.lookup(probe), -1);
  }
}

function checkOrdinals(reader: SegmentReader, docs: readonly Expected[], field: 'tags' | 'key'): void {
  const column = reader.ordinals(field);
  if (column === null) return assert.ok(docs.every((d) => d[field].length === 0));
  const numbers = Int32Array.from(docs, (_, i) => i);
  const out = multiOrdinals();
  column.readAll(numbers, docs.length, out);
  const first = new Int32Array(docs.length);
  column.read(numbers, docs.length, first);
  const range = new Int32Array(docs.length);
  column.readRange(0, docs.length, range);
  docs.forEach((doc, i) => {
    const wanted = distinctSorted(doc[field]);
    assert.deepEqual(
      [...out.values.subarray(out.starts[i]!, out.starts[i + 1]!)].map((o) => column.term(o)),
      wanted,
    );
    assert.equal(first[i] === -1 ? undefined : column.term(first[i]!), wanted[0]);
    assert.equal(range[i], first[i]);
  });
  const ranks = column.ranks();
  const byRank = Array.from({ length: column.ordinalCount }, (_, o) => o).sort((a, b) =>
    ranks === null ? a - b : ranks[a]! - ranks[b]!,
  );
  assert.deepEqual(
    byRank.map((o) => column.term(o)),
    distinctSorted(docs.flatMap((d) => d[field])),
  );
  assert.equal(column.nextDocWithField(0), where(docs, (d) => d[field].length > 0)[0] ?? NO_MORE_DOCS);
}

function checkNumbers(reader: SegmentReader, docs: readonly Expected[]): void {
  const column = reader.numbers('num');
  if (column === null) return assert.ok(docs.every((d) => d.num.length === 0));
  const numbers = Int32Array.from(docs, (_, i) => i);
  const out = multiNumbers();
  column.readAll(numbers, docs.length, out);
  const first = new Float64Array(docs.length);
  column.read(numbers, docs.length, first);
  const range = new Float64Array(docs.length);
  column.readRange(0, docs.length, range);
  docs.forEach((doc, i) => {
    const wanted = sortedBig(doc.num);
    assert.deepEqual(column.bigs(i), wanted);
    assert.deepEqual([...out.values.subarray(out.starts[i]!, out.starts[i + 1]!)], wanted.map(Number));
    assert.equal(first[i], wanted.length === 0 ? Number.NaN : Number(wanted[0]));
    assert.equal(range[i], first[i]);
  });
  const all = docs.flatMap((d) => sortedBig(d.num));
  assert.equal(column.valueCount, all.length);
  assert.equal(column.docsWithField, docs.filter((d) => d.num.length > 0).length);
  assert.equal(column.min, all.length === 0 ? Infinity : Math.min(...all.map(Number)));
}

function checkPoints(reader: SegmentReader, docs: readonly Expected[], low: number, high: number): void {
  for (const field of ['num', 'hidden'] as const) {
    const points = reader.points(field);
    const source = field === 'num' ? docs : docs.map((d) => (d.id === null ? EMPTY : d) as Expected);
    const expected = where(source, (d) => d.num.some((v) => Number(v) >= low && Number(v) <= high));
    if (points === null) {
      assert.deepEqual(expected, []);
      continue;
    }
    const bits = bitSet(docs.length);
    points.collect(low, high, bits);
    assert.deepEqual(collected(bits), expected);
    const exact = bitSet(docs.length);
    points.collectBig(BigInt(low), BigInt(high) * 2n ** 40n, exact);
    assert.deepEqual(
      collected(exact),
      where(source, (d) => d.num.some((v) => v >= BigInt(low) && v <= BigInt(high) * 2n ** 40n)),
    );
  }
  assert.ok((reader.points('num')?.estimate(-Infinity, Infinity) ?? 0) === docs.flatMap((d) => d.num).length);
}

function checkDoubles(reader: SegmentReader, docs: readonly Expected[]): void {
  const column = reader.numbers('double');
  if (column === null) return assert.ok(docs.every((d) => d.double.length === 0));
  const out = multiNumbers();
  column.readAll(
    Int32Array.from(docs, (_, i) => i),
    docs.length,
    out,
  );
  docs.forEach((doc, i) =>
    assert.deepEqual(
      [...out.values.subarray(out.starts[i]!, out.starts[i + 1]!)],
      doc.double.toSorted((a, b) => a - b),
    ),
  );
}

function checkGeo(reader: SegmentReader, docs: readonly Expected[]): void {
  const column = reader.geo('geo');
  if (column === null) return assert.ok(docs.every((d) => d.geo.length === 0));
  const lats = multiNumbers();
  const lons = multiNumbers();
  column.readAll(
    Int32Array.from(docs, (_, i) => i),
    docs.length,
    lats,
    lons,
  );
  docs.forEach((doc, i) => {
    assert.deepEqual(
      [...lats.values.subarray(lats.starts[i]!, lats.starts[i + 1]!)],
      doc.geo.map(([lat]) => latDegrees(quantiseLat(lat))),
    );
    assert.deepEqual(
      [...lons.values.subarray(lons.starts[i]!, lons.starts[i + 1]!)],
      doc.geo.map(([, lon]) => lonDegrees(quantiseLon(lon))),
    );
  });
  const isNorthEast = (lat: number, lon: number): boolean => lat >= 0 && lon >= 0;
  const bits = bitSet(docs.length);
  reader
    .geoPoints('geo')!
    .collect(
      (minLat, maxLat, minLon, maxLon) =>
        minLat >= 0 && minLon >= 0 ? 'inside' : maxLat < 0 || maxLon < 0 ? 'outside' : 'crosses',
      isNorthEast,
      bits,
    );
  assert.deepEqual(
    collected(bits),
    where(docs, (d) =>
      d.geo.some(([lat, lon]) => isNorthEast(latDegrees(quantiseLat(lat)), lonDegrees(quantiseLon(lon)))),
    ),
  );
}

function checkRest(reader: SegmentReader, docs: readonly Expected[]): void {
  const norms = reader.norms('text');
  docs.forEach((doc, i) => {
    if (norms !== null) assert.equal(norms.get(i), intToByte4(doc.text.length));
    assert.deepEqual(
      reader.binary('bin')?.get(i) ?? null,
      doc.bin === null ? null : Buffer.from(doc.bin).subarray() && new Uint8Array(doc.bin),
    );
    if (doc.id !== null) assert.ok(reader.findId(doc.id).includes(i));
  });
  assert.deepEqual(reader.findId('nobody'), []);
  const hasNested = docs.some((d) => d.id === null);
  if (hasNested)
    assert.deepEqual(
      collected(reader.roots!),
      where(docs, (d) => d.id !== null),
    );
  const seqNos = reader.numbers('_seq_no');
  if (docs.length > 0) assert.equal(seqNos!.docsWithField, docs.filter((d) => d.id !== null).length);
}

function check(reader: SegmentReader, docs: readonly Expected[], low = -5, high = 1000): void {
  assert.equal(reader.maxDoc, docs.length);
  checkPostings(reader, docs, 'text');
  checkPostings(reader, docs, 'tags');
  checkOrdinals(reader, docs, 'tags');
  checkOrdinals(reader, docs, 'key');
  checkNumbers(reader, docs);
  checkPoints(reader, docs, low, high);
  checkDoubles(reader, docs);
  checkGeo(reader, docs);
  checkRest(reader, docs);
}

async function seal(inputs: Parameters<typeof mergeSegments>[0]): Promise<SegmentReader> {
  const memory = memorySegment();
  await mergeSegments(inputs, memory);
  return openSegment(memory.source('s'));
}

const word = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.constantFrom(
      'a',
      'b',
      'shared',
      'sharing',
      'a longer term of many characters',
      'é',
      '\uffee',
      '\u{1F600}',
      '',
    ),
  },
  { weight: 3, arbitrary: fc.string({ maxLength: 6 }) },
  { weight: 1, arbitrary: anyText({ maxLength: 40 }) },
);
const integer = fc.oneof(
  { weight: 4, arbitrary: fc.integer({ min: -20, max: 2000 }).map((v): number | bigint => v) },
  {
    weight: 1,
    arbitrary: fc
      .bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n })
      .filter((v) => v > 2n ** 53n || v < -(2n ** 53n))
      .map((v): number | bigint => v),
  },
);
const finite = fc.double({ noNaN: true, noDefaultInfinity: true }).map((v) => v + 0);
const arbitraryDoc: fc.Arbitrary<Doc> = fc.record({
  text: fc.array(word, { maxLength: 12 }),
  tags: fc.array(word, { maxLength: 4 }),
  key: fc.array(word, { maxLength: 2 }),
  num: fc.array(integer, { maxLength: 3 }),
  double: fc.array(
    fc.oneof(
      finite,
      fc.integer({ min: -1000, max: 1000 }).map((n) => n / 10),
    ),
    { maxLength: 2 },
  ),
  geo: fc.array(
    fc.tuple(fc.double({ min: -90, max: 90, noNaN: true }), fc.double({ min: -180, max: 180, noNaN: true })),
    { maxLength: 2 },
  ),
  bin: fc.option(fc.uint8Array({ maxLength: 20 })),
  nested: fc.constantFrom(0, 0, 0, 2),
});

test(
  'a buffer, the segment sealed from it and merged segments without the deleted documents answer as the documents ' +
    'do',
  async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(arbitraryDoc, { maxLength: 12 }), { minLength: 1, maxLength: 3 }),
        fc.array(fc.nat(40)),
        async (groups, deleted) => {
          const parts = groups.map((docs, g) => load(docs, g * 100));
          for (const { reader, expected } of parts) check(reader, expected);
          const sealed = await Promise.all(
            parts.map(({ reader }) => seal([{ reader, live: null, maxDoc: reader.maxDoc }])),
          );
          sealed.forEach((reader, i) => check(reader, parts[i]!.expected));
          const lives = parts.map(({ expected }) => {
            const live = fullBitSet(expected.length);
            for (const doc of deleted) if (doc < expected.length) live.clear(doc);
            return live;
          });
          const merged = await seal(
            sealed.map((reader, i) => ({
              reader,
              live: i === 0 && deleted.length % 2 === 0 ? null : lives[i]!,
              maxDoc: reader.maxDoc,
            })),
          );
          check(
            merged,
            parts.flatMap(({ expected }, i) =>
              expected.filter((_, d) => (i === 0 && deleted.length % 2 === 0) || lives[i]!.get(d)),
            ),
          );
        },
      ),
      { numRuns: runs(20) },
    );
  },
);

/** Documents like `arbitraryDoc`, with numbers of the unsigned 64-bit range. */
const unsignedDoc = arbitraryDoc.map((doc) => ({
  ...doc,
  num: doc.num.map((v) => (typeof v === 'bigint' ? BigInt.asUintN(64, v) : Math.abs(v))),
}));

test('unsigned numbers up to 2^64 - 1 answer as the documents do, in the buffer, sealed and merged', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(unsignedDoc, { maxLength: 8 }), { minLength: 1, maxLength: 2 }),
      async (groups) => {
        const parts = groups.map((docs, g) => load(docs, g * 100));
        for (const { reader, expected } of parts) check(reader, expected, 0, 2 ** 20);
        const sealed = await Promise.all(
          parts.map(({ reader }) => seal([{ reader, live: null, maxDoc: reader.maxDoc }])),
        );
        const merged = await seal(sealed.map((reader) => ({ reader, live: null, maxDoc: reader.maxDoc })));
        check(
          merged,
          parts.flatMap(({ expected }) => expected),
          0,
          2 ** 20,
        );
      },
    ),
    { numRuns: runs(10) },
  );
});

test('points of many unsigned numbers are found in their sorted blocks', async () => {
  const count = 24_000;
  const value = (i: number): bigint => BigInt.asUintN(64, BigInt(i) * 0x9e3779b97f4a7c15n);
  const { reader } = load(
    Array.from({ length: count }, (_, i) => ({ ...EMPTY, num: [value(i)] })),
    0,
  );
  const points = (await seal([{ reader, live: null, maxDoc: count }])).points('num')!;
  for (const [low, high] of [
    [0n, 2n ** 62n],
    [2n ** 63n - 2n ** 58n, 2n ** 63n + 2n ** 58n],
    [2n ** 64n - 2n ** 60n, 2n ** 64n - 1n],
    [value(9), value(9)],
  ] as const) {
    const found = bitSet(count);
    points.collectBig(low, high, found);
    const wanted = Array.from({ length: count }, (_, i) => i).filter((i) => value(i) >= low && value(i) <= high);
    assert.deepEqual(collected(found), wanted);
  }
});

/** Returns many documents with a common term, rare terms, and fields that all, most or few documents have. */
function manyDocs(count: number): Doc[] {
  return Array.from({ length: count }, (_, i) => ({
    ...EMPTY,
    text: ['common', ...(i % 3 === 0 ? ['third', 'third'] : []), ...(i % 1000 === 7 ? ['rare'] : []), `n${i % 500}`],
    tags: i % 2 === 0 ? [`t${(i * 7919) % 300}`, `u${i % 5}`] : [],
    key: i % 100 === 3 ? [`k${i}`] : [],
    num: i % 5 === 0 ? [] : [(i * 7919) % 10_007],
    double: [i / 4],
    geo: [[((i * 37) % 180) - 90, ((i * 101) % 360) - 180]],
  }));
}

test('posting lists of many blocks, sparse and dense windows survive sealing and merging', async () => {
  const first = load(manyDocs(5000), 0);
  const second = load(manyDocs(4200), 10_000);
  const sealed = [first, second].map(({ reader }) => ({ reader, live: null, maxDoc: reader.maxDoc }));
  const merged = await seal(
    [await seal([sealed[0]!]), await seal([sealed[1]!])].map((reader) => ({
      reader,
      live: null,
      maxDoc: reader.maxDoc,
    })),
  );
  check(merged, [...first.expected, ...second.expected], 100, 5000);
  const terms = merged.terms('text')!;
  const cursor = terms.postings(terms.lookup('third'));
  assert.equal(cursor.globalImpacts().freqs[0], 2);
  for (const target of [0, 500, 6000, 9_197]) {
    const last = cursor.shallowAdvance(target);
    assert.ok(last >= target && cursor.impacts().count === 1);
    cursor.advanceBlock(target);
    assert.equal(cursor.docs[cursor.size - 1], last);
  }
  assert.equal(cursor.shallowAdvance(9_198), NO_MORE_DOCS);
});

test('a snapshot does not see documents that are added after it', () => {
  const buffer = createIndexBuffer();
  const add = (text: string[], n: number): number =>
    buffer.add([{ entries: entriesOf({ ...EMPTY, text, tags: text, num: [n] }), nestedPath: null }], {
      id: `${n}`,
      seqNo: n,
      primaryTerm: 1,
      version: 1,
    });
  add(['a', 'b', 'a'], 1);
  const snapshot = buffer.snapshot();
  const terms = snapshot.terms('text')!;
  const cursor = terms.postings(terms.lookup('a'));
  add(['a', 'c'], 2);
  add(['a'], 3);
  assert.equal(snapshot.maxDoc, 1);
  assert.equal(terms.docFreq(terms.lookup('a')), 1);
  assert.equal(terms.totalTermFreq(terms.lookup('a')), 2);
  assert.equal(terms.lookup('c'), -1);
  assert.equal(cursor.nextBlock(), 1);
  assert.equal(cursor.nextBlock(), 0);
  assert.equal(snapshot.numbers('num')!.max, 1);
  assert.equal(snapshot.ordinals('tags')!.ordinalCount, 2);
  assert.deepEqual(snapshot.findId('2'), []);
  assert.equal(buffer.snapshot().terms('text')!.docFreq(0), 3);
});

test(
  'a merge pauses between slices of work, waits for its sink, ' + 'and writes the chunks of a part in order',
  async () => {
    const { reader } = load(manyDocs(60_000), 0);
    const memory = memorySegment();
    let pauses = 0;
    let open = 0;
    const sink = {
      write: async (part: string, chunk: Uint8Array): Promise<void> => {
        assert.equal(open++, 0);
        await Promise.resolve();
        open--;
        await memory.write(part, chunk);
      },
    };
    const { maxDoc, docMaps } = await mergeSegments([{ reader, live: null, maxDoc: reader.maxDoc }], sink, {
      pause: () => void pauses++,
    });
    assert.ok(pauses >= 4);
    assert.equal(maxDoc, 60_000);
    assert.deepEqual([docMaps[0]![0], docMaps[0]![59_999]], [0, 59_999]);
    for (const [part, chunks] of memory.parts)
      for (const chunk of chunks) assert.ok(chunk.length <= CHUNK_BYTES_MAX, part);
    assert.equal(openSegment(memory.source('s')).terms('text')!.docFreq(0), 60_000);
  },
);
