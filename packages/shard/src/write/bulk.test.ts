import assert from 'node:assert/strict';
import { test } from 'node:test';
import { errors } from '@shoal/errors';
import { errorOf as thrownBy, type shard } from '@shoal/protocol';
import { bulkOf, openTestShard, type TestWrite } from '../test-shard.js';

const index = (id: string, source: unknown, item?: Partial<shard.WriteItem>): TestWrite => ({
  op: 'index',
  id,
  source,
  ...(item ? { item } : {}),
});
const remove = (id: string, item?: Partial<shard.WriteItem>): TestWrite => ({
  op: 'delete',
  id,
  ...(item ? { item } : {}),
});
const update = (id: string, source: unknown, item?: Partial<shard.WriteItem>): TestWrite => ({
  op: 'update',
  id,
  source,
  ...(item ? { item } : {}),
});

const OUTCOMES = ['created', 'updated', 'deleted', 'noop', 'not_found', 'failed'];
function errorOf(result: shard.WriteResult): { type: string; message: string } {
  const { type, message } = thrownBy(result.error!);
  return { type, message };
}
const show = (result: shard.WriteResult): string =>
  result.error
    ? errorOf(result).message
    : `${OUTCOMES[result.outcome]} v${result.version} s${result.seqNo} t${result.primaryTerm}`;

test('versions and sequence numbers go up; a delete of nothing consumes a number too', async () => {
  const { write } = await openTestShard();
  const results = await write([
    index('1', { a: 1 }),
    index('1', { a: 2 }),
    remove('1'),
    remove('1'),
    remove('zz'),
    index('1', { a: 3 }),
  ]);
  assert.deepEqual(results.map(show), [
    'created v1 s0 t1',
    'updated v2 s1 t1',
    'deleted v3 s2 t1',
    'not_found v4 s3 t1',
    'not_found v1 s4 t1',
    'created v5 s5 t1',
  ]);
});

test('documents of megabytes are written in order with the small ones around them', async () => {
  const { write } = await openTestShard();
  const t = 'x'.repeat(1_200_000);
  const results = await write([
    index('1', { a: 1 }),
    index('1', { t, a: 2 }),
    index('1', { a: 3 }),
    update('1', { doc: { t } }),
    index('1', { t, a: { b: 'no number' } }),
  ]);
  const shown = results.map(show);
  assert.deepEqual(shown.slice(0, 4), ['created v1 s0 t1', 'updated v2 s1 t1', 'updated v3 s2 t1', 'updated v4 s3 t1']);
  assert.match(shown[4]!, /failed to parse field \[a\]|object/);
});

test('conflicts say what Elasticsearch says and consume no number', async () => {
  const { write } = await openTestShard();
  await write([index('1', { a: 1 }), index('1', { a: 2 })]);
  const results = await write([
    { op: 'create', id: '1', source: { a: 1 } },
    index('1', {}, { ifSeqNo: 9, ifPrimaryTerm: 1 }),
    index('5', {}, { ifSeqNo: 44, ifPrimaryTerm: 1 }),
    index('1', {}, { versionType: 1, version: 2 }),
    index('1', {}, { versionType: 2, version: 1 }),
    index('1', {}, { versionType: 2, version: 2 }),
    remove('1', { ifSeqNo: 1, ifPrimaryTerm: 2 }),
    index('1', {}, { ifSeqNo: 2, ifPrimaryTerm: 1 }),
  ]);
  assert.deepEqual(results.map(show), [
    '[1]: version conflict, document already exists (current version [2])',
    '[1]: version conflict, required seqNo [9], primary term [1]. current document has seqNo [1] and primary term [1]',
    '[5]: version conflict, required seqNo [44], primary term [1]. but no document was found',
    '[1]: version conflict, current version [2] is higher or equal to the one provided [2]',
    '[1]: version conflict, current version [2] is higher than the one provided [1]',
    'updated v2 s2 t1',
    '[1]: version conflict, required seqNo [1], primary term [2]. current document has seqNo [2] and primary term [1]',
    'updated v3 s3 t1',
  ]);
  assert.equal(errorOf(results[0]!).type, 'version_conflict_engine_exception');
});

test('an external version counts a delete that is remembered, until gc_deletes has passed', async () => {
  const { write, clock } = await openTestShard({ settings: { 'index.gc_deletes': '10s' } });
  await write([index('1', {}, { versionType: 1, version: 5 }), remove('1', { versionType: 1, version: 7 })]);
  const late = index('1', {}, { versionType: 1, version: 6 });
  assert.equal(
    show((await write([late]))[0]!),
    '[1]: version conflict, current version [7] is higher or equal to the one provided [6]',
  );
  clock.advance(10_001);
  await write([remove('2')]);
  assert.equal(show((await write([late]))[0]!), 'created v6 s3 t1');
});

test('a document that does not parse fails alone', async () => {
  const shard = await openTestShard({ mapping: { properties: { n: { type: 'long' } } } });
  const results = await shard.write([
    index('1', { n: 1 }),
    index('2', '{"n": "x"}'),
    index('3', '{"n":'),
    index('4', { n: 4 }),
  ]);
  assert.deepEqual(
    results.map(({ outcome }) => outcome),
    [0, 5, 5, 0],
  );
  assert.equal(errorOf(results[1]!).type, 'document_parsing_exception');
  assert.match(errorOf(results[1]!).message, /failed to parse field \[n\] of type \[long\] in document with id '2'/);
  assert.equal(errorOf(results[2]!).type, 'document_parsing_exception');
  assert.deepEqual(
    results.filter(({ outcome }) => outcome === 0).map(({ seqNo }) => seqNo),
    [0, 1],
  );
  shard.shard.refresh();
  assert.deepEqual([...shard.visible().keys()], ['1', '4']);
});

test('the new fields of a whole batch reach the master in one update', async () => {
  const shard = await openTestShard();
  const results = await shard.write([
    index('1', { a: 1 }),
    index('2', { b: 'x' }),
    index('3', { a: 2, o: { c: true } }),
    index('4', { o: { d: 1.5 } }),
  ]);
  assert.ok(results.every(({ outcome }) => outcome === 0));
  assert.equal(shard.mappingUpdates.length, 1);
  const { properties } = shard.mappingUpdates[0] as { properties: Record<string, { properties?: object }> };
  assert.deepEqual(Object.keys(properties).sort(), ['a', 'b', 'o']);
  assert.deepEqual(Object.keys(properties['o']!.properties!).sort(), ['c', 'd']);
});

test('when the batch update is refused only the documents with the refused fields fail', async () => {
  const { shard, master } = await openTestShard();
  const picky = {
    async updateMapping(update: Record<string, unknown>) {
      if ('bad' in (update['properties'] as object)) throw errors.illegalArgument('no room for [bad]');
      await master.updateMapping(update);
    },
  };
  const { items } = await shard.bulk(
    bulkOf([index('1', { a: 1 }), index('2', { bad: 1 }), index('3', { b: 1 })]),
    picky,
  );
  assert.deepEqual(items.map(show), ['created v1 s0 t1', 'no room for [bad]', 'created v1 s1 t1']);
});

test('an update merges, notices that nothing changes, and answers with the source it was asked for', async () => {
  const { write, get } = await openTestShard();
  await write([index('1', { a: { x: 1, y: 2 }, l: [1, 2] }, { routing: 'r' })]);
  const results = await write([
    update(
      '1',
      { doc: { a: { x: 5 }, l: [3] } },
      { updateOptions: { source: { none: false, includes: [], excludes: [] } } },
    ),
    update('1', { doc: { a: { y: 2 } } }),
    update('1', { doc: { a: { y: 2 } }, detect_noop: false }),
  ]);
  assert.deepEqual(results.map(show), ['updated v2 s1 t1', 'noop v2 s1 t1', 'updated v3 s2 t1']);
  assert.deepEqual(JSON.parse(Buffer.from(results[0]!.get!).toString()), {
    _seq_no: 1,
    _primary_term: 1,
    found: true,
    _source: { a: { x: 5, y: 2 }, l: [3] },
  });
  const found = await get('1');
  assert.deepEqual(JSON.parse(Buffer.from(found.source!).toString()), { a: { x: 5, y: 2 }, l: [3] });
  assert.equal(found.routing, 'r');
});

test('the routing of an update is not that of the document that it finds', async () => {
  const { write, get } = await openTestShard();
  await write([index('1', { a: 1 }), update('1', { doc: { a: 2 } }, { routing: 'r' })]);
  assert.equal((await get('1')).routing, undefined);
  await write([update('2', { doc: { a: 2 }, doc_as_upsert: true }, { routing: 'r' })]);
  assert.equal((await get('2')).routing, 'r');
});

test('an update that is to be prepared answers its document and writes nothing', async () => {
  const { write, get } = await openTestShard();
  await write([index('1', { a: 1 }, { routing: 'r' })]);
  const prepare = { updateOptions: { source: undefined, prepare: true } };
  const results = await write([
    update('1', { doc: { b: 2 } }, prepare),
    update('2', { doc: { a: 1 }, upsert: { c: 3 } }, prepare),
    update('1', { doc: { a: 1 } }, prepare),
    update('3', { doc: { a: 1 } }, prepare),
  ]);
  const prepared = results.map(({ outcome, seqNo, prepared: source, preparedRouting }) => [
    outcome,
    seqNo,
    source && Buffer.from(source).toString(),
    preparedRouting,
  ]);
  assert.deepEqual(prepared, [
    [1, 0, '{"a":1,"b":2}', 'r'],
    [0, -2, '{"c":3}', undefined],
    [3, 0, undefined, undefined],
    [5, 0, undefined, undefined],
  ]);
  assert.deepEqual(JSON.parse(Buffer.from((await get('1')).source!).toString()), { a: 1 });
  assert.equal((await get('2')).source, undefined);
});

test('an update of a missing document needs something to insert', async () => {
  const { write, get } = await openTestShard();
  const results = await write([
    update('nope', { doc: { a: 1 } }),
    update('u', { doc: { a: 1 }, upsert: { b: 2 } }),
    update('d', { doc: { a: 1 }, doc_as_upsert: true }),
  ]);
  assert.deepEqual(results.map(show), ['[nope]: document missing', 'created v1 s0 t1', 'created v1 s1 t1']);
  assert.deepEqual(JSON.parse(Buffer.from((await get('u')).source!).toString()), { b: 2 });
});

test('an update that is not one is refused in words', async () => {
  const { write } = await openTestShard();
  await write([index('1', { a: 1 })]);
  const results = await write([
    update('1', {}),
    update('1', { doc: {}, script: 'x' }),
    update('1', { foo: 1 }),
    update('1', { script: { source: 'ctx._source.a.foo()' } }),
    update('1', { script: { source: '1 +' } }),
    update('1', { doc: { a: 2 } }, { ifSeqNo: 7, ifPrimaryTerm: 1 }),
  ]);
  assert.deepEqual(results.map(show), [
    'Validation Failed: 1: script or doc is missing;',
    "Validation Failed: 1: can't provide both script and doc;",
    '[1:2] [UpdateRequest] unknown field [foo]',
    'failed to execute script',
    'failed to execute script',
    '[1]: version conflict, required seqNo [7], primary term [1]. current document has seqNo [0] and primary term [1]',
  ]);
});

test('a script changes a document, deletes it, leaves it alone or makes it', async () => {
  const { write, get } = await openTestShard();
  const sourceOf = async (id: string): Promise<string> => Buffer.from((await get(id)).source!).toString();
  await write([index('1', { n: 1, price: 2.5, tags: ['a'] })]);
  const add = { source: 'ctx._source.n += params.d; ctx._source.tags.add(ctx._id)', params: { d: 4 } };
  assert.deepEqual((await write([update('1', { script: add })])).map(show), ['updated v2 s1 t1']);
  assert.equal(await sourceOf('1'), '{"n":5,"price":2.5,"tags":["a","1"]}');
  const half = {
    script: "ctx._source.half = ctx._source.n / 2.0; ctx._source.whole = 6 / 2.0; ctx._source.remove('tags')",
  };
  await write([update('1', half)]);
  assert.equal(await sourceOf('1'), '{"n":5,"price":2.5,"half":2.5,"whole":3.0}');
  await write([update('1', { script: 'ctx._source.n++' })]);
  assert.equal(await sourceOf('1'), '{"n":6,"price":2.5,"half":2.5,"whole":3.0}');
  const results = await write([
    update('1', { script: "ctx.op = 'none'" }),
    update('2', { script: 'ctx._source.op = ctx.op', upsert: { a: 1 }, scripted_upsert: true }),
    update('3', { script: "ctx.op = 'noop'", upsert: { a: 1 }, scripted_upsert: true }),
    update('4', { script: 'ctx._source.a = 1' }),
    update('1', { script: "if (ctx._source.n == 6) { ctx.op = 'delete' }" }),
  ]);
  assert.deepEqual(results.map(show), [
    'noop v4 s3 t1',
    'created v1 s4 t1',
    'noop v-1 s-2 t0',
    '[4]: document missing',
    'deleted v5 s5 t1',
  ]);
  assert.equal(await sourceOf('2'), '{"a":1,"op":"create"}');
  const moved =
    "field('a').move('b.c').transform(v -> v + 1); if ($('op', '') != 'create') { metadata().op = 'delete' }";
  assert.deepEqual((await write([update('2', { script: moved })])).map(show), ['updated v2 s6 t1']);
  assert.equal(await sourceOf('2'), '{"op":"create","b":{"c":2}}');
});

test('ids that a coordinator made need no look-up and are found all the same', async () => {
  const { write, get } = await openTestShard();
  await write([index('auto-1', { a: 1 }, { autoId: true }), index('auto-2', { a: 2 }, { autoId: true })]);
  assert.equal((await get('auto-1')).found, true);
  assert.deepEqual((await write([index('auto-1', { a: 3 }), remove('auto-2')])).map(show), [
    'updated v2 s2 t1',
    'deleted v2 s3 t1',
  ]);
  assert.equal((await get('auto-2')).found, false);
});
