import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Panel, readDashboard } from './panel.js';
import { endsOf, panelCsv, readPanel, tileMiddle } from './panel-data.js';

const panel = (part: Partial<Panel>): Panel => ({
  ...readDashboard({ panels: [{ kind: 'text' }] }).panels[0]!,
  ...part,
});
const STEP = { ms: 1_000, name: '1 second', interval: { fixed_interval: '1s' } };
const answer = (aggregations: string): string => `{"hits":{"total":{"value":7}},"aggregations":${aggregations}}`;

test('values of terms are filters, and keep all digits', () => {
  const text = answer('{"values":{"buckets":[{"key":9007199254740993,"doc_count":3,"m":{"value":1.5}}]}}');
  const { columns, rows } = readPanel(
    panel({ kind: 'table', field: 'n', measure: { op: 'avg', field: 'size' } }),
    text,
    null,
  );
  assert.deepEqual(columns, ['n', 'Count', 'Average of size']);
  assert.deepEqual(rows, [
    {
      name: '9007199254740993',
      values: [3, 1.5],
      filter: { field: 'n', op: 'is', value: '9007199254740993' },
      range: null,
      point: null,
    },
  ]);
});

test('buckets of time are ranges, with a column for each series', () => {
  const text = answer(
    '{"time":{"buckets":[{"key":0,"doc_count":2,"split":{"buckets":[{"key":"a","doc_count":2}]}},' +
      '{"key":1000,"doc_count":0,"split":{"buckets":[]}}]},"series":{"buckets":[{"key":"a"},{"key":"b"}]}}',
  );
  const { columns, rows } = readPanel(panel({ kind: 'date_histogram', split: 'host' }), text, STEP);
  assert.deepEqual(columns, ['Time', 'a', 'b']);
  assert.deepEqual(
    rows.map(({ values, range }) => [values, range]),
    [
      [[2, null], { from: '1970-01-01T00:00:00.000Z', to: '1970-01-01T00:00:00.999Z' }],
      [[null, null], { from: '1970-01-01T00:00:01.000Z', to: '1970-01-01T00:00:01.999Z' }],
    ],
  );
});

test('a heat map has lines of values and columns of time; a metric has one number', () => {
  const text = answer(
    '{"values":{"buckets":[{"key":"a","doc_count":2,"time":{"buckets":[{"key":0,"doc_count":2}]}},' +
      '{"key":"b","doc_count":1,"time":{"buckets":[{"key":1000,"doc_count":1}]}}]}}',
  );
  const { rows, ranges } = readPanel(panel({ kind: 'heat_map', field: 'host' }), text, STEP);
  assert.deepEqual(
    [rows.map(({ values }) => values), ranges.length],
    [
      [
        [2, null],
        [null, 1],
      ],
      2,
    ],
  );
  assert.deepEqual(readPanel(panel({ kind: 'metric' }), answer('{}'), null).rows[0]!.values, [7]);
  const avg = panel({ kind: 'metric', measure: { op: 'avg', field: 'n' } });
  assert.deepEqual(readPanel(avg, answer('{"m":{"value":null}}'), null).rows[0]!.values, [null]);
});

test('cells of a map have a middle, and everything is a CSV', () => {
  assert.deepEqual(tileMiddle('0/0/0'), [0, 0]);
  assert.equal(tileMiddle('x'), null);
  const text = answer('{"cells":{"buckets":[{"key":"1/0/0","doc_count":4}]}}');
  const data = readPanel(panel({ kind: 'map', field: 'place' }), text, null);
  assert.equal(panelCsv(data), 'Around,Count\r\n"66.5° N, 90.0° W",4\r\n');
  assert.deepEqual(endsOf(answer('{"from":{"value":1.0},"to":{"value":2.0}}')), { from: 1, to: 2 });
  assert.equal(endsOf(answer('{"from":{"value":null},"to":{"value":null}}')), null);
});

test('a pie has the others as a part that is no filter', () => {
  const buckets = '"buckets":[{"key":"a","doc_count":3,"m":{"value":30}},{"key":"b","doc_count":1,"m":{"value":5}}]';
  const partsOf = (part: Partial<Panel>, others: number, whole = ''): unknown =>
    readPanel(
      panel({ kind: 'pie', field: 'host', ...part }),
      answer(`{"values":{"sum_other_doc_count":${others},${buckets}}${whole}}`),
      null,
    ).rows.map(({ name, values, filter }) => [name, values[0], filter === null]);
  const own = [
    ['a', 3, false],
    ['b', 1, false],
  ];
  assert.deepEqual(partsOf({}, 0), own);
  assert.deepEqual(partsOf({}, 2), [...own, ['Others', 2, true]]);
  assert.deepEqual(partsOf({ measure: { op: 'sum', field: 'size' } }, 2, ',"whole":{"m":{"value":40}}'), [
    ['a', 30, false],
    ['b', 5, false],
    ['Others', 5, true],
  ]);
});

test('a gauge has the number of a metric', () => {
  const shown = panel({ kind: 'gauge', measure: { op: 'avg', field: 'size' } });
  assert.deepEqual(readPanel(shown, answer('{"m":{"value":1.5}}'), null).rows[0]!.values, [1.5]);
  assert.deepEqual(readPanel(panel({ kind: 'gauge' }), answer('{}'), null).rows[0]!.values, [7]);
});
