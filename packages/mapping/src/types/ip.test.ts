import { test } from 'node:test';
import { fieldTable, refusesDefinitions } from '../testing/field-table.js';

const address = fieldTable({ type: 'ip' });
const withNull = fieldTable({ type: 'ip', null_value: '::1', ignore_malformed: true });

test('ip keeps addresses as terms in a column', () =>
  address.keeps({ terms: { freqs: false, positions: false, norms: false }, column: 'ordinals', points: false }));

test('ip indexes addresses as 16 bytes', () =>
  address.indexes([
    ['10.0.0.1', { f: ['\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000ÿÿ\n\u0000\u0000\u0001'] }],
    [
      '::1',
      { f: ['\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0001'] },
    ],
    [
      ['::ffff:1.2.3.4'],
      { f: ['\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000ÿÿ\u0001\u0002\u0003\u0004'] },
    ],
    [null, {}],
  ]));

test('ip refuses other texts', () =>
  address.refuses([
    ['here', "illegal_argument_exception: 'here' is not an IP string literal."],
    ['10.0.0.256', "illegal_argument_exception: '10.0.0.256' is not an IP string literal."],
    [5, "illegal_argument_exception: '5' is not an IP string literal."],
    ['10.0.0.0/8', "illegal_argument_exception: '10.0.0.0/8' is not an IP string literal."],
  ]));

test('term queries take addresses and networks', () =>
  address.terms([
    [
      '10.0.0.1',
      { kind: 'term', term: '\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000ÿÿ\n\u0000\u0000\u0001' },
    ],
    [
      '10.0.0.0/8',
      {
        kind: 'terms',
        low: '\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000ÿÿ\n\u0000\u0000\u0000',
        high: '\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000ÿÿ\nÿÿÿ',
        includeLow: true,
        includeHigh: true,
      },
    ],
    ['x', "illegal_argument_exception: 'x' is not an IP string literal."],
  ]));

test('range queries move excluded bounds to the next address', () =>
  address.ranges([
    [
      { gte: '10.0.0.0', lte: '10.0.0.255' },
      {
        kind: 'terms',
        low: '\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000ÿÿ\n\u0000\u0000\u0000',
        high: '\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000ÿÿ\n\u0000\u0000ÿ',
        includeLow: true,
        includeHigh: true,
      },
    ],
    [
      { gt: '::1' },
      {
        kind: 'terms',
        low: '\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0001',
        high: null,
        includeLow: false,
        includeHigh: true,
      },
    ],
    [
      { lt: '::' },
      {
        kind: 'terms',
        low: null,
        high: '\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000',
        includeLow: true,
        includeHigh: false,
      },
    ],
  ]));

test('ip shows addresses', () =>
  address.shows([
    ['\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000ÿÿ\n\u0000\u0000\u0001', null, null, '10.0.0.1'],
  ]));

test('null_value stands in for null, malformed addresses are ignored when asked', () =>
  withNull.indexes([
    [null, { f: ['\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0001'] }],
    ['x', { _ignored: ['f'] }],
  ]));

test('ip refuses parameters that it does not take', () =>
  refusesDefinitions([
    [{ type: 'ip', format: 'x' }, 'mapper_parsing_exception: unknown parameter [format] on mapper [f] of type [ip]'],
  ]));
