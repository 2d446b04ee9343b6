import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildAnalysisRegistry } from '@shoal/analysis';
import { parseMapping } from '../parse-mapping.js';
import { mappingOptions } from '../settings.js';
import { fieldTable, refusesDefinitions } from '../testing/field-table.js';

const OPTIONS = mappingOptions({}, buildAnalysisRegistry({}));
const nanos = fieldTable({ type: 'date_nanos' });
const own = fieldTable({ type: 'date_nanos', format: 'dd.MM.yyyy', null_value: '01.01.2000', ignore_malformed: true });
const exact = 'f._nanos';

test('date_nanos keeps milliseconds, with an index', () => nanos.keeps({ terms: null, column: 'long', points: true }));

test('date_nanos indexes milliseconds and nanoseconds since 1970', () =>
  nanos.indexes([
    ['2024-01-15T10:20:30.123456789Z', { f: [1705314030123], [exact]: [1705314030123456789n] }],
    [1705312800000, { f: [1705312800000], [exact]: [1705312800000000000n] }],
    ['1705312800000.000001', { f: [1705312800000], [exact]: [1705312800000000001n] }],
    [['2262-04-11T23:47:16.854775807Z', '1970-01-01'], { f: [9223372036854, 0], [exact]: [9223372036854775807n, 0n] }],
    [null, {}],
  ]));

test('date_nanos refuses dates outside of 1970 to 2262', () =>
  nanos.refuses([
    [
      '1969-12-31T23:59:59.999999999Z',
      'illegal_argument_exception: date[1969-12-31T23:59:59.999999999Z] is before the epoch in 1970 and cannot be ' +
        'stored in nanosecond resolution',
    ],
    [
      '2262-04-11T23:47:16.854775808Z',
      'illegal_argument_exception: date[2262-04-11T23:47:16.854775808Z] is after 2262-04-11T23:47:16.854775807 and ' +
        'cannot be stored in nanosecond resolution',
    ],
    ['', 'illegal_argument_exception: cannot parse empty date'],
  ]));

test('null_value and ignore_malformed of date_nanos', () =>
  own.indexes([
    [null, { f: [946684800000], [exact]: [946684800000000000n] }],
    ['never', { _ignored: ['f'] }],
    ['01.01.1960', { _ignored: ['f'] }],
  ]));

const range = (low: bigint, high: bigint) => ({ kind: 'nanos', low, high, exact }) as const;

test('term queries of date_nanos mean all nanoseconds of what the text names', () =>
  nanos.terms([
    ['2024-01-15T10:20:30.123456789Z', range(1705314030123456789n, 1705314030123456789n)],
    ['2024-01-15', range(1705276800000000000n, 1705363199999999999n)],
    [1705312800000, range(1705312800000000000n, 1705312800000999999n)],
    ['now', range(1705320000000000000n, 1705320000000000000n)],
  ]));

test('range queries of date_nanos round as those of date, and date math ends with a millisecond', () =>
  nanos.ranges([
    [{ gt: '2024-01-15T10:20:30.123456788Z' }, range(1705314030123456789n, 2n ** 63n - 1n)],
    [{ gt: '2024-01', lt: '2024-03' }, range(1704153600000000000n, 1709251199999999999n)],
    [{ gte: 'now-1d/d', lte: 'now/d' }, range(1705190400000000000n, 1705363199999000000n)],
    [{ gte: '2024-01-15T10:20:30.123456788||+1d-1d' }, range(1705314030123456788n, 2n ** 63n - 1n)],
    [
      { gte: '2024-01-02', lt: '2024-01-01' },
      { kind: 'none', reversed: range(1704153600000000000n, 1704067199999999999n) },
    ],
  ]));

test('a null_value outside of the range is refused', () =>
  refusesDefinitions([
    [
      { type: 'date_nanos', null_value: '1960-01-01' },
      'mapper_parsing_exception: Error parsing [null_value] on field [f]: date[1960-01-01T00:00:00Z] is before the ' +
        'epoch in 1970 and cannot be stored in nanosecond resolution',
    ],
  ]));

test('the name of the column of nanoseconds is taken', () => {
  const refused = { reason: /Field \[ts\._nanos\] is defined more than once/ };
  const multi = { properties: { ts: { type: 'date_nanos', fields: { _nanos: { type: 'keyword' } } } } };
  assert.throws(() => parseMapping(multi, OPTIONS), refused);
  const beside = { subobjects: false, properties: { ts: { type: 'date_nanos' }, 'ts._nanos': { type: 'keyword' } } };
  assert.throws(() => parseMapping(beside, OPTIONS), refused);
});
