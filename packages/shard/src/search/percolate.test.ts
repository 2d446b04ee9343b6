import assert from 'node:assert/strict';
import test from 'node:test';
import { seededRandom } from '@shoal/doors';
import { search } from '../read/test-search.js';
import { openTestShard, type TestShard } from '../test-shard.js';

const PROPERTIES = {
  t: { type: 'text' },
  k: { type: 'keyword' },
  n: { type: 'long' },
  d: { type: 'double' },
  c: { type: 'nested', properties: { k: { type: 'keyword' }, n: { type: 'integer' } } },
};
const MAPPING = { properties: { ...PROPERTIES, query: { type: 'percolator' } } };

const percolate = (documents: readonly object[], name?: string): object => ({
  percolate: { field: 'query', documents, ...(name === undefined ? {} : { name }) },
});

async function shardOf(sources: readonly object[]): Promise<TestShard> {
  const opened = await openTestShard({ mapping: MAPPING });
  const results = await opened.write(
    sources.map((source, i) => ({ op: 'index' as const, id: `${i}`, source })),
    1,
  );
  assert.deepEqual(
    results.flatMap(({ error }) => (error === undefined ? [] : [error])),
    [],
  );
  return opened;
}

/** Makes queries and documents of few values, so that many match. */
class Maker {
  readonly #random = seededRandom(11);

  below(limit: number): number {
    return Math.floor(this.#random.next() * limit);
  }

  of<T>(items: readonly T[]): T {
    return items[this.below(items.length)]!;
  }

  words(count: number): string {
    return Array.from({ length: count }, () => this.of(['red', 'fox', 'tree', 'green', 'hill'])).join(' ');
  }

  document(): Record<string, unknown> {
    const nested = Array.from({ length: this.below(3) }, () => ({ k: this.of(['x', 'y']), n: this.below(5) }));
    return {
      t: this.words(this.below(4)),
      ...(this.below(3) === 0 ? {} : { k: this.of(['a', 'b', 'c']) }),
      ...(this.below(3) === 0 ? {} : { n: [this.below(9) - 4, this.below(9)] }),
      ...(this.below(3) === 0 ? {} : { d: (this.below(40) - 20) / 8 }),
      ...(nested.length === 0 ? {} : { c: nested }),
    };
  }

  leaf(): object {
    const low = this.below(9) - 4;
    return this.of<() => object>([
      () => ({ match: { t: { query: this.words(2), operator: this.of(['and', 'or']) } } }),
      () => ({ match_phrase: { t: this.words(2) } }),
      () => ({ match_phrase_prefix: { t: `${this.words(1)} ${this.of(['f', 'g', 'tr'])}` } }),
      () => ({ terms: { k: [this.of(['a', 'b']), this.of(['b', 'c'])] } }),
      () => ({ range: { n: { [this.of(['gt', 'gte'])]: low, [this.of(['lt', 'lte'])]: low + this.below(4) } } }),
      () => ({ range: { d: { [this.of(['gt', 'lte'])]: low / 4 } } }),
      () => ({ term: { n: low } }),
      () => ({ terms: { n: [low, low + 2] } }),
      () => ({ exists: { field: this.of(['k', 'n', 'd', 't']) } }),
      () => ({ fuzzy: { t: 'gren' } }),
      () => ({ query_string: { query: `${this.words(1)} -k:${this.of(['a', 'b'])}`, fields: ['t', 'k'] } }),
      () => ({ match_all: {} }),
    ])();
  }

  query(depth: number): object {
    if (depth === 0 || this.below(3) === 0) return this.leaf();
    const inner = (): object => this.query(depth - 1);
    return this.of<() => object>([
      () => ({
        bool: {
          [this.of(['must', 'filter'])]: [inner()],
          should: [inner(), inner()],
          minimum_should_match: this.below(3),
        },
      }),
      () => ({ bool: { must: [inner()], must_not: [inner()] } }),
      () => ({ dis_max: { queries: [inner(), inner()] } }),
      () => ({ constant_score: { filter: inner() } }),
      () => ({
        nested: { path: 'c', query: this.of([{ term: { 'c.k': 'x' } }, { range: { 'c.n': { gt: this.below(5) } } }]) },
      }),
    ])();
  }
}

test('percolate finds exactly the queries that find the document', async () => {
  const make = new Maker();
  const queries = Array.from({ length: 300 }, () => make.query(2));
  const stored = await shardOf(queries.map((query) => ({ query })));
  for (let i = 0; i < 20; i++) {
    const document = make.document();
    const alone = await shardOf([document]);
    const expected: string[] = [];
    for (const [id, query] of queries.entries())
      if ((await search(alone, { query }, null)).total > 0) expected.push(`${id}`);
    const found = await search(stored, { query: percolate([document]), size: 300 }, null);
    assert.deepEqual(
      [...found.ids].sort((a, b) => Number(a) - Number(b)),
      expected,
      JSON.stringify(document),
    );
    await alone.shard.close();
  }
  await stored.shard.close();
});

test('hits show which documents match, and highlight these', async () => {
  const opened = await shardOf([{ query: { match: { t: 'fox' } } }, { query: { range: { n: { gte: 3 } } } }]);
  const documents = [
    { t: 'a red fox', n: 1 },
    { t: 'hill', n: 7, c: [{ k: 'x' }] },
    { t: 'fox', n: 3 },
  ];
  const { hits } = await search(opened, { query: percolate(documents), highlight: { fields: { t: {} } } }, null);
  const shown = Object.fromEntries(
    (hits as Record<string, unknown>[]).map((hit) => [hit['_id'], [hit['fields'], hit['highlight']]]),
  );
  assert.deepEqual(shown, {
    0: [{ _percolator_document_slot: [0, 2] }, { '0_t': ['a red <em>fox</em>'], '2_t': ['<em>fox</em>'] }],
    1: [{ _percolator_document_slot: [1, 2] }, undefined],
  });
  const should = [percolate([{ t: 'fox' }], 'A'), percolate([{ n: 9 }], 'B')];
  const both = await search(opened, { query: { bool: { should } }, highlight: { fields: { t: {} } } }, null);
  assert.deepEqual(
    (both.hits as Record<string, unknown>[]).map((hit) => [hit['fields'], hit['highlight']]),
    [
      [{ _percolator_document_slot_B: [0] }, undefined],
      [{ _percolator_document_slot_A: [0] }, { A_t: ['<em>fox</em>'] }],
    ],
  );
  await opened.shard.close();
});

test('stored queries are found again after a crash, and after a merge', async () => {
  const opened = await shardOf([{ query: { term: { k: 'a' } } }, { query: { range: { n: { lt: 0 } } } }]);
  const ids = async (at: TestShard): Promise<string[]> =>
    (await search(at, { query: percolate([{ k: 'a', n: -1 }]) }, null)).ids.sort();
  assert.deepEqual(await ids(opened), ['0', '1']);
  const again = await opened.reopen('crash');
  assert.deepEqual(await ids(again), ['0', '1']);
  const closed = await again.reopen('close');
  await closed.write([{ op: 'index', id: '2', source: { query: { exists: { field: 'n' } } } }], 1);
  assert.deepEqual(await ids(closed), ['0', '1', '2']);
  await closed.shard.close();
});
