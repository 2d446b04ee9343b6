import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildAnalysisRegistry } from '@shoal/analysis';
import fc from 'fast-check';
import type { FieldType, RangeBounds, ValueQuery } from './field-type.js';
import { mappingOptions, parseMapping } from './index.js';
import { nextDown, nextUp, roundToHalf } from './types/decimals.js';
import { decodeWhole, encodeDouble, encodeWhole } from './types/range-bytes.js';
import { versionTerm } from './types/version.js';

const options = mappingOptions({}, buildAnalysisRegistry({}));
const context = { now: () => Date.UTC(2024, 1, 15, 12) };

function field(definition: Record<string, unknown>): FieldType {
  return parseMapping({ properties: { f: definition } }, options).field('f')!;
}

const range = (type: string, bounds: RangeBounds): ValueQuery => field({ type }).rangeQuery(bounds, context);
const term = (type: string, value: unknown): ValueQuery => field({ type }).termQuery(value, context);

test('bounds with decimals on whole numbers move inwards', () => {
  assert.deepEqual(range('long', { gt: 1.5, lt: 4.5 }), { kind: 'number', low: 2, high: 4 });
  assert.deepEqual(range('long', { gte: -1.5, lte: -0.5 }), { kind: 'number', low: -1, high: -1 });
  assert.deepEqual(range('integer', { gt: '3', lte: '5' }), { kind: 'number', low: 4, high: 5 });
});

test('bounds out of range mean all or nothing', () => {
  assert.deepEqual(range('integer', { gte: 1e12 }), { kind: 'none' });
  assert.deepEqual(range('integer', { lte: 1e12 }), { kind: 'number', low: -Infinity, high: Infinity });
  assert.deepEqual(range('long', { gt: '9223372036854775807' }), { kind: 'none' });
});

test('bounds beyond 2^53 stay exact', () => {
  assert.deepEqual(range('long', { gte: 9007199254740993n, lt: 9007199254740995n }), {
    kind: 'bigNumber',
    low: 9007199254740993n,
    high: 9007199254740994n,
  });
});

test('a term with decimals matches no whole number; one out of range is refused', () => {
  assert.equal(term('long', 1.5).kind, 'none');
  assert.deepEqual(term('long', '7'), { kind: 'number', low: 7, high: 7 });
  assert.throws(() => term('long', '9223372036854775808'), {
    reason: 'Value [9223372036854775808] is out of range for a long',
  });
  assert.throws(() => term('integer', 'zz'), { type: 'number_format_exception', reason: 'For input string: "zz"' });
});

test('excluded bounds of decimals move to the next number', () => {
  assert.deepEqual(range('double', { gt: 1, lt: 2 }), { kind: 'number', low: nextUp(1), high: nextDown(2) });
  assert.deepEqual(range('float', { gte: 0.1 }), { kind: 'number', low: Math.fround(0.1), high: Infinity });
});

test('booleans are 0 and 1', () => {
  assert.deepEqual(term('boolean', 'true'), { kind: 'number', low: 1, high: 1 });
  assert.deepEqual(term('boolean', false), { kind: 'number', low: 0, high: 0 });
  assert.throws(() => term('boolean', 'yes'), {
    reason: "Can't parse boolean value [yes], expected [true] or [false]",
  });
});

test('dates round gt and lte up, gte and lt down', () => {
  const day = Date.UTC(2024, 1, 10);
  assert.deepEqual(range('date', { gte: '2024-02-10||/d', lte: '2024-02-10||/d' }), {
    kind: 'number',
    low: day,
    high: day + 86_399_999,
  });
  assert.deepEqual(range('date', { gt: '2024-02-10||/d', lt: '2024-02-12||/d' }), {
    kind: 'number',
    low: day + 86_400_000,
    high: day + 2 * 86_400_000 - 1,
  });
  assert.deepEqual(term('date', '2024-02'), {
    kind: 'number',
    low: Date.UTC(2024, 1, 1),
    high: Date.UTC(2024, 1, 1, 23, 59, 59, 999),
  });
});

test('addresses take networks', () => {
  const query = term('ip', '10.0.0.0/8');
  assert.ok(query.kind === 'terms' && query.low?.length === 16);
  assert.throws(() => term('ip', 'nope'), { reason: "'nope' is not an IP string literal." });
});

test('a keyword is normalized in queries as in documents', () => {
  const analysis = buildAnalysisRegistry({ normalizer: { low: { type: 'custom', filter: ['lowercase'] } } });
  const own = mappingOptions({}, analysis);
  const keyword = parseMapping({ properties: { k: { type: 'keyword', normalizer: 'low' } } }, own).field('k')!;
  assert.deepEqual(keyword.termQuery('ABC', context), { kind: 'term', term: 'abc' });
});

test('fields that keep nothing cannot be searched', () => {
  const hidden = field({ type: 'long', index: false, doc_values: false });
  assert.throws(() => hidden.termQuery(1, context), {
    reason: 'Cannot search on field [f] since it is not indexed nor has doc values.',
  });
});

test('points refuse exact searches', () => {
  assert.throws(
    () => term('geo_point', '1,2'),
    /Geometry fields do not support exact searching, use dedicated geometry queries instead: \[f\]/,
  );
});

test('formats show booleans, dates, addresses and decimals as Elasticsearch does', () => {
  assert.equal(field({ type: 'boolean' }).format(null, null).toText(1), 'true');
  assert.equal(field({ type: 'double' }).format(null, null).toText(1e10), '1.0E10');
  assert.equal(field({ type: 'double' }).format('#,##0.00', null).toText(1234.5), '1,234.50');
  assert.equal(
    field({ type: 'date' })
      .format('yyyy-MM-dd', '+02:00')
      .toText(Date.UTC(2020, 0, 1, 23)),
    '2020-01-02',
  );
  assert.equal(field({ type: 'date' }).format(null, null).toJson(5), 5);
});

test('half floats round to the nearest of their kind', () => {
  fc.assert(
    fc.property(fc.float({ min: -65000, max: 65000, noNaN: true }), (value) => {
      const half = roundToHalf(value);
      assert.equal(roundToHalf(half), half);
      assert.ok(Math.abs(half - value) <= Math.max(Math.abs(value) * 2 ** -11, 2 ** -25));
    }),
  );
});

test('encoded ends of ranges sort as their numbers', () => {
  fc.assert(
    fc.property(fc.bigInt(-(2n ** 63n), 2n ** 63n - 1n), fc.bigInt(-(2n ** 63n), 2n ** 63n - 1n), (a, b) => {
      assert.equal(encodeWhole(a) < encodeWhole(b), a < b);
      assert.equal(decodeWhole(encodeWhole(a)), a);
    }),
  );
  fc.assert(
    fc.property(fc.double({ noNaN: true }), fc.double({ noNaN: true }), (a, b) => {
      if (a < b) assert.ok(encodeDouble(a) < encodeDouble(b));
    }),
  );
});

test('versions sort by number, releases after their pre-releases', () => {
  const versions = ['1.0.0-alpha', '1.0.0-alpha.1', '1.0.0-alpha.beta', '1.0.0', '1.2.0', '1.11.0', '2.0.0', 'none'];
  const sorted = [...versions].reverse().sort((a, b) => (versionTerm(a) < versionTerm(b) ? -1 : 1));
  assert.deepEqual(sorted, versions);
});
