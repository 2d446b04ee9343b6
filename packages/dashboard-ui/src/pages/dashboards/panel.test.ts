import assert from 'node:assert/strict';
import { test } from 'node:test';
import { freeId, measureName, measureNames, measureOf, movedPanel, readDashboard, goalOf } from './panel.js';

test('measures have names, by which they are chosen', () => {
  const names = measureNames(['size'], ['host']);
  assert.deepEqual(names, [
    'Count',
    'Average of size',
    'Sum of size',
    'Minimum of size',
    'Maximum of size',
    'Unique values of size',
    'Unique values of host',
  ]);
  for (const name of names) assert.equal(measureName(measureOf(name)!), name);
  assert.deepEqual(measureOf('average of a of b'), { op: 'avg', field: 'a of b' });
  assert.deepEqual([measureOf(''), measureOf('Median of x')], [{ op: 'count', field: '' }, null]);
});

test('of a dashboard that somebody saved only what is understood is taken', () => {
  const read = readDashboard({
    title: 5,
    panels: [
      { kind: 'terms', field: 'a', measure: { op: 'avg' } },
      { kind: 'lens' },
      null,
      { kind: 'text', id: 'x', text: 'y' },
    ],
    range: { from: 'now-1d', to: 'now' },
    filters: [{ field: 'a', value: 'b' }, 1],
  });
  assert.equal(read.title, 'Untitled');
  assert.deepEqual(
    read.panels.map(({ id, kind, title, measure, indices }) => [id, kind, title, measure.op, indices]),
    [
      ['panel-0', 'terms', 'Terms', 'count', '*'],
      ['x', 'text', 'Text', 'count', '*'],
    ],
  );
  assert.deepEqual(read.range, { from: 'now-1d', to: 'now' });
  assert.deepEqual(read.filters, [{ field: 'a', op: 'is', value: 'b' }]);
  assert.deepEqual(readDashboard({ range: { from: 'x', to: 'y' } }).range, 'all');
});

test('panels move and stop at the ends', () => {
  const { panels } = readDashboard({ panels: ['a', 'b', 'c'].map((id) => ({ id, kind: 'text' })) });
  const ids = (id: string, by: number): string =>
    movedPanel(panels, id, by)
      .map((panel) => panel.id)
      .join('');
  assert.deepEqual(
    [ids('a', 1), ids('a', 9), ids('c', -1), ids('a', -1), ids('x', 1)],
    ['bac', 'bca', 'acb', 'abc', 'abc'],
  );
  assert.equal(freeId(panels), 'panel-4');
});

test('a gauge is full at a number above 0', () => {
  assert.deepEqual(
    [goalOf('2.5'), goalOf(7), goalOf('0'), goalOf(''), goalOf('x'), goalOf(Infinity)],
    [2.5, 7, null, null, null, null],
  );
  const goals = readDashboard({
    panels: [
      { id: 'a', kind: 'gauge', goal: 5 },
      { id: 'b', kind: 'gauge', goal: -1 },
    ],
  }).panels;
  assert.deepEqual(
    goals.map(({ goal }) => goal),
    [5, 100],
  );
});
