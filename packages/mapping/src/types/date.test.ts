import { test } from 'node:test';
import { fieldTable, refusesDefinitions } from '../testing/field-table.js';

const date = fieldTable({ type: 'date' });
const own = fieldTable({ type: 'date', format: 'dd.MM.yyyy||epoch_second', null_value: '01.01.2000' });
const lenient = fieldTable({ type: 'date', ignore_malformed: true });

test('date keeps numbers with an index', () => date.keeps({ terms: null, column: 'long', points: true }));

test('date indexes milliseconds since 1970', () =>
  date.indexes([
    ['2024-01-15', { f: [1705276800000] }],
    ['2024-01-15T10:20:30.123456Z', { f: [1705314030123] }],
    ['2024-01-15T10:00:00+02:00', { f: [1705305600000] }],
    [1705312800000, { f: [1705312800000] }],
    ['1705312800000', { f: [1705312800000] }],
    [['2024', 0], { f: [1704067200000, 0] }],
    [null, {}],
  ]));

test('date refuses texts in other formats', () =>
  date.refuses([
    [
      '15/01/2024',
      'illegal_argument_exception: failed to parse date field [15/01/2024] with format ' +
        '[strict_date_optional_time||epoch_millis]',
    ],
    ['', 'illegal_argument_exception: cannot parse empty date'],
    [
      '2024-13-01',
      'illegal_argument_exception: failed to parse date field [2024-13-01] with format ' +
        '[strict_date_optional_time||epoch_millis]',
    ],
    [
      true,
      'illegal_argument_exception: failed to parse date field [true] with format ' +
        '[strict_date_optional_time||epoch_millis]',
    ],
    [{ a: 1 }, "illegal_state_exception: Can't get text on a START_OBJECT at 1:6"],
  ]));

test('term queries mean all of what the text names', () =>
  date.terms([
    ['2024-01', { kind: 'number', low: 1704067200000, high: 1704153599999 }],
    ['2024-01-15', { kind: 'number', low: 1705276800000, high: 1705363199999 }],
    ['now', { kind: 'number', low: 1705320000000, high: 1705320000000 }],
    [
      'x',
      'parse_exception: failed to parse date field [x] with format ' +
        '[strict_date_optional_time||epoch_millis]: [failed to parse date field [x] with format ' +
        '[strict_date_optional_time||epoch_millis]]',
    ],
  ]));

test('range queries round gt and lte up, gte and lt down', () =>
  date.ranges([
    [
      { gt: '2024-01', lt: '2024-03' },
      { kind: 'number', low: 1704153600000, high: 1709251199999 },
    ],
    [
      { gte: 'now-1d/d', lte: 'now/d' },
      { kind: 'number', low: 1705190400000, high: 1705363199999 },
    ],
    [
      { gte: '2024-01-01', timeZone: '+01:00' },
      { kind: 'number', low: 1704063600000, high: Infinity },
    ],
    [
      { gte: '01/02/2024', format: 'dd/MM/yyyy' },
      { kind: 'number', low: 1706745600000, high: Infinity },
    ],
    [
      { gte: '2024-01-02', lt: '2024-01-01' },
      { kind: 'none', reversed: { kind: 'number', low: 1704153600000, high: 1704067199999 } },
    ],
  ]));

test('date shows values by format and zone', () =>
  date.shows([
    [1705312800000, null, null, '2024-01-15T10:00:00.000Z'],
    [1705312800000, 'yyyy-MM-dd HH:mm', '+02:00', '2024-01-15 12:00'],
    [1705312800000, 'epoch_second', null, '1705312800'],
  ]));

test('a format of its own is read instead', () =>
  own.indexes([
    ['15.01.2024', { f: [1705276800000] }],
    [1705312800, { f: [1705312800000] }],
    [null, { f: [946684800000] }],
  ]));

test('other formats are refused then', () =>
  own.refuses([
    [
      '2024-01-15',
      'illegal_argument_exception: failed to parse date field [2024-01-15] with format [dd.MM.yyyy||epoch_second]',
    ],
  ]));

test('malformed dates are ignored when asked', () =>
  lenient.indexes([
    ['never', { _ignored: ['f'] }],
    [['never', '2024-01-15'], { f: [1705276800000], _ignored: ['f'] }],
  ]));

test('date refuses parameters that it does not take', () =>
  refusesDefinitions([
    [
      { type: 'date', null_value: 'x' },
      'mapper_parsing_exception: Error parsing [null_value] on field [f]: failed to parse date field [x] ' +
        'with format [strict_date_optional_time||epoch_millis]',
    ],
    [
      { type: 'date', coerce: true },
      'mapper_parsing_exception: unknown parameter [coerce] on mapper [f] of type [date]',
    ],
  ]));
