import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type CategorizationSpec, LineCategories } from './line-categories.js';

const SPEC: CategorizationSpec = { field: 'm', examplesMax: 2 };
const letters = (i: number): string => i.toString(26).replace(/[0-9]/g, (digit) => 'qrstuvwxyz'[Number(digit)]!);
/** Lines of which none is like another. */
const odd = (i: number): string => ['a', 'b', 'c'].map((end) => `${letters(i + 1000)}${end}`).join(' ');
const KINDS = ['user logged on', 'disk is nearly full', 'connection refused by peer'];

test('each partition has categories of its own, whose ids are those of the job', () => {
  const lines = new LineCategories({ ...SPEC, partition: 'host' });
  const ids = ['a', 'b', 'a', 'b'].map((host, i) => lines.of(KINDS[i >> 1]!, host, true)!.id);
  assert.deepEqual(ids, [1, 2, 3, 4]);
  assert.equal(lines.of(KINDS[0]!, 'b', true)!.id, 2);
  const taken = lines.takeChanged().map(({ partition, category }) => [partition, category.id, category.matches]);
  assert.deepEqual(taken, [
    ['a', 1, 1],
    ['a', 3, 1],
    ['b', 2, 2],
    ['b', 4, 1],
  ]);
  assert.deepEqual(lines.takeChanged(), []);
});

test('a partition whose lines are all of different kinds turns to warn, and is given up if told so', () => {
  for (const stopsOnWarn of [false, true]) {
    const lines = new LineCategories({ ...SPEC, partition: 'host', stopsOnWarn });
    for (let i = 0; i < 200; i++) {
      lines.of(odd(i), 'noisy', true);
      lines.of(KINDS[i % 3]!, 'fine', true);
    }
    const sizes = new Map(lines.takeSizes().map(({ partition, ...rest }) => [partition, rest]));
    assert.equal(sizes.get('noisy')!.sizes.status, 'warn');
    assert.equal(sizes.get('noisy')!.hasTurned, true);
    assert.equal(sizes.get('noisy')!.sizes.lines, stopsOnWarn ? 100 : 200);
    assert.deepEqual(sizes.get('fine')!.sizes, {
      lines: 200,
      categories: 3,
      frequent: 3,
      rare: 0,
      failed: 0,
      status: 'ok',
    });
    assert.equal(lines.total.status, 'warn');
    assert.equal(lines.of(odd(0), 'noisy', true) === null, stopsOnWarn);
    assert.equal(lines.hasStopped('fine'), false);
  }
});

test('one kind of lines alone is no good sign either', () => {
  const lines = new LineCategories(SPEC);
  for (let i = 0; i < 100; i++) lines.of(KINDS[0]!, '', true);
  assert.equal(lines.total.status, 'warn');
  assert.equal(lines.takeSizes()[0]!.partition, null);
});

test('without memory known lines keep their categories, others have none', () => {
  const lines = new LineCategories(SPEC);
  assert.equal(lines.of(KINDS[0]!, '', true)!.id, 1);
  assert.equal(lines.of(KINDS[1]!, '', false), null);
  assert.equal(lines.of(KINDS[0]!, '', false)!.id, 1);
  assert.equal(lines.total.failed, 1);
});

test('categories survive being kept, also as jobs without partitions kept them before', () => {
  const lines = new LineCategories({ ...SPEC, partition: 'host' });
  for (const [i, kind] of KINDS.entries()) lines.of(kind, i === 1 ? 'b' : 'a', true);
  const again = new LineCategories({ ...SPEC, partition: 'host' });
  again.restore(JSON.parse(JSON.stringify(lines.toJson())));
  assert.equal(again.of(KINDS[2]!, 'a', true)!.id, 3);
  assert.equal(again.of(KINDS[2]!, 'b', true)!.id, 4);
  const before = new LineCategories(SPEC);
  const tokens = ['disk', 'is', 'nearly', 'full'];
  const category = { id: 1, tokens, examples: [], matches: 7, maxLength: 9, weight: 7, isChanged: false };
  before.restore({ categories: [category], exact: [[tokens.join(' '), 1]], failed: 0 });
  assert.equal(before.of(KINDS[1]!, '', true)!.matches, 8);
  assert.equal(before.of(KINDS[0]!, '', true)!.id, 2);
  assert.equal(before.total.lines, 9);
});
