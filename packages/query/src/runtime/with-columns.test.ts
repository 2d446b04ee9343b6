import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Plan } from '../plan.js';
import type { Searcher, SearcherCache } from '../searcher.js';
import { memoryIndex } from '../testing/memory-index.js';
import { withRuntime } from './runtime-searcher.js';
import { withColumns } from './with-columns.js';

const RUNTIME = { k: { type: 'keyword' }, l: { type: 'long' } };
const COUNT = 40;

interface Observed {
  readonly searcher: Searcher;
  /** Numbers of the documents whose sources were read. */
  readonly read: number[];
}

/** A searcher with runtime fields `k` and `l` over two segments; `m` is indexed: the number of the document. */
async function observed(deleted: readonly string[] = []): Promise<Observed> {
  const documents = Array.from({ length: COUNT }, (_, m) => ({ m, k: `t${m % 3}`, l: m }));
  const mapping = { m: { type: 'long' }, k: { type: 'keyword', index: false }, l: { type: 'long', index: false } };
  const halves = [Array.from({ length: COUNT / 2 }, (_, i) => i), Array.from({ length: COUNT / 2 }, (_, i) => i + 20)];
  const beneath = await memoryIndex({ mapping, documents, deleted }).searcher(halves);
  const read: number[] = [];
  const values = new Map<string, unknown>();
  const cache: SearcherCache = {
    find: <T>(key: string) => values.get(key) as T | undefined,
    get<T>(key: string, make: () => { readonly value: T }): T {
      if (!values.has(key)) values.set(key, make().value);
      return values.get(key) as T;
    },
  };
  const stored = (doc: number): ReturnType<Searcher['stored']> => (read.push(doc), beneath.stored(doc));
  return { searcher: withRuntime({ ...beneath, cache, stored }, RUNTIME), read };
}

const matching = (low: number, high: number): Plan => ({
  kind: 'value',
  field: 'm',
  query: { kind: 'number', low, high },
  boost: 1,
});

async function prepare({ searcher }: Observed, matches: Plan | null, charged: number[] = []): Promise<Searcher> {
  const fields = [searcher.mapping.field('k')!, searcher.mapping.field('l')!];
  const charge = (bytes: number): void => void charged.push(bytes);
  return withColumns(searcher, { fields, matches, pause: () => null, isOver: () => false, charge });
}

test('columns for few matches read these documents, once for all fields, and are not kept', async () => {
  const index = await observed();
  const own = await prepare(index, matching(18, 21));
  assert.deepEqual(index.read, [18, 19, 20, 21]);
  const [first, second] = own.segments;
  assert.deepEqual([first!.reader.numbers('l')!.min, second!.reader.numbers('l')!.max], [18, 21]);
  assert.equal(second!.reader.ordinals('k')!.ordinalCount, 2);
  assert.deepEqual(index.read.length, 4);
  assert.equal(index.searcher.segments[0]!.reader.numbers('l')!.valueCount, COUNT / 2);
});

test('columns for many matches are of all live documents, and serve later requests', async () => {
  const index = await observed(['1', '2']);
  const charged: number[] = [];
  assert.equal(await prepare(index, matching(0, 30), charged), index.searcher);
  assert.equal(index.read.length, COUNT - 2);
  assert.ok(charged.length > 0 && charged.every((bytes) => bytes > 0));
  assert.equal(await prepare(index, matching(18, 21)), index.searcher);
  assert.equal(index.searcher.segments[0]!.reader.ordinals('k')!.term(0), 't0');
  assert.equal(index.read.length, COUNT - 2);
});

test('a request that reads beyond its matches gets columns of all documents', async () => {
  const index = await observed();
  assert.equal(await prepare(index, null), index.searcher);
  assert.equal(index.read.length, COUNT);
});

test('what is computed of runtime terms is not taken for terms of the field that they hide', async () => {
  const { searcher } = await observed();
  const beneath = searcher.runtime!.beneath;
  searcher.segments.forEach(({ reader }, i) => assert.notEqual(reader.id, beneath.segments[i]!.reader.id));
});

test('a long pass stops when it is cancelled', async () => {
  const { searcher, read } = await observed();
  const pause = (): Promise<void> => Promise.reject(new Error('cancelled'));
  const fields = [searcher.mapping.field('l')!];
  await assert.rejects(
    withColumns(searcher, { fields, matches: null, pause, isOver: () => false, charge: () => {} }),
    /cancelled/,
  );
  assert.equal(read.length, 16);
});

test('a request whose time is over has the columns of what was read, and nothing is kept', async () => {
  const { searcher, read } = await observed();
  const fields = [searcher.mapping.field('l')!];
  const isOver = (): boolean => read.length >= 25;
  const request = { fields, matches: null, pause: () => null, isOver, charge: () => {} };
  const own = await withColumns(searcher, request);
  assert.notEqual(own, searcher);
  assert.deepEqual(
    own.segments.map(({ reader }) => reader.numbers('l')!.valueCount),
    [20, 5],
  );
  assert.equal(searcher.runtime!.madeColumns(fields[0]!, searcher.segments[0]!), null);
});
