import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildAnalysisRegistry } from '@shoal/analysis';
import type { FieldType, RangeBounds, ValueQuery } from '../field-type.js';
import type { Mapping } from '../mapping-api.js';
import { mappingOptions, parseDocument, parseMapping } from '../index.js';

const options = mappingOptions({}, buildAnalysisRegistry({}));
const MAX = 18446744073709551615n;
const now = (): number => 0;

function mappingOf(definition: Record<string, unknown> = {}): Mapping {
  return parseMapping({ properties: { u: { type: 'unsigned_long', ...definition } } }, options);
}

const field = (definition: Record<string, unknown> = {}): FieldType => mappingOf(definition).field('u')!;

/** Column values of a document whose field has the JSON `value`. */
function stored(value: string, definition: Record<string, unknown> = {}): unknown {
  const document = parseDocument(
    mappingOf(definition),
    new TextEncoder().encode(`{"u":${value}}`),
    { id: '1', nowMs: 0 },
    options,
  );
  const entry = document.parts[0]!.entries.find(({ layout }) => layout.name === 'u');
  return entry?.kind === 'numbers' ? entry.values : null;
}

const cause = (value: string): unknown => {
  try {
    stored(value);
    return null;
  } catch (error) {
    const { reason, causedBy } = error as { reason: string; causedBy: { type: string; reason: string } };
    assert.match(reason, /failed to parse field \[u\] of type \[unsigned_long\]/);
    return [causedBy.type, causedBy.reason];
  }
};

test('numbers and texts of the whole range are taken, whole decimals among them', () => {
  assert.deepEqual(stored('0'), [0]);
  assert.deepEqual(stored('9223372036854775808'), [2n ** 63n]);
  assert.deepEqual(stored('18446744073709551615'), [MAX]);
  assert.deepEqual(stored('"18446744073709551615"'), [MAX]);
  assert.deepEqual(stored('["+7", "1.0", "1e3", 10.0]'), [7, 1, 1000, 10]);
  assert.deepEqual(stored('"1.8446744073709551615E19"'), [MAX]);
});

test('doubles beyond the signed range are cut to its end, as in 8.12', () => {
  assert.deepEqual(stored('1e19'), [2n ** 63n - 1n]);
});

test('what is negative, too large, has a fraction or is no number is refused', () => {
  const illegal = (reason: string): unknown => ['illegal_argument_exception', reason];
  assert.deepEqual(cause('-1'), illegal('Value [-1] is out of range for unsigned long.'));
  assert.deepEqual(
    cause('-9223372036854775809'),
    illegal('Value [-9223372036854775809] is out of range for unsigned long'),
  );
  assert.deepEqual(
    cause('18446744073709551616'),
    illegal('Value [18446744073709551616] is out of range for unsigned long'),
  );
  assert.deepEqual(cause('"-1"'), illegal('Value [-1] is out of range for unsigned long'));
  assert.deepEqual(cause('1.5'), illegal('Value "1.5" has a decimal part'));
  assert.deepEqual(cause('"1.5"'), illegal('Value "1.5" has a decimal part'));
  assert.deepEqual(cause('"zz"'), illegal('For input string: "zz"'));
  assert.deepEqual(cause('true'), illegal('For input string: "true"'));
  assert.equal((cause('{"a":1}') as string[])[0], 'illegal_state_exception');
});

test('malformed values are dropped where the field says so, objects never', () => {
  assert.deepEqual(stored('[1, "zz", -1, 2.5, 18446744073709551616, 3]', { ignore_malformed: true }), [1, 3]);
  assert.throws(() => stored('{"a":1}', { ignore_malformed: true }));
});

test('null and empty texts count as null_value, which is kept as text', () => {
  assert.deepEqual(stored('null', { null_value: 17446744073709551615n }), [17446744073709551615n]);
  assert.deepEqual(stored('""', { null_value: '18446744073709551615' }), [MAX]);
  assert.equal(stored('null'), null);
  assert.equal(field({ null_value: 17446744073709551615n }).toJson(false)['null_value'], '17446744073709551615');
  assert.throws(() => field({ null_value: 1.5 }), {
    type: 'mapper_parsing_exception',
    reason: 'Failed to parse mapping: Error parsing [null_value] on field [u]: Value "1.5" has a decimal part',
  });
  assert.throws(() => field({ coerce: false }), {
    reason: 'Failed to parse mapping: unknown parameter [coerce] on mapper [u] of type [unsigned_long]',
  });
});

test('terms that are no unsigned long match nothing, texts that are no number are refused', () => {
  const term = (value: unknown): ValueQuery => field().termQuery(value, { now });
  assert.deepEqual(term(0), { kind: 'number', low: 0, high: 0 });
  assert.deepEqual(term('18446744073709551615'), { kind: 'bigNumber', low: MAX, high: MAX });
  assert.deepEqual(term(2n ** 63n), { kind: 'bigNumber', low: 2n ** 63n, high: 2n ** 63n });
  for (const value of [-1, 10.5, MAX + 1n, '18446744073709551616', '-0.5', '3.14', 1e19])
    assert.equal(term(value).kind, 'none', String(value));
  assert.throws(() => term('18incorrectnumber'), {
    type: 'number_format_exception',
    reason: 'For input string: "18incorrectnumber"',
  });
});

test('bounds of ranges move inwards to whole numbers and are clamped to the range of the type', () => {
  const range = (bounds: RangeBounds): ValueQuery => field().rangeQuery(bounds, { now });
  const open = { kind: 'number', low: -Infinity, high: Infinity };
  assert.deepEqual(range({ gte: -1, lte: '18446744073709551616' }), open);
  assert.deepEqual(range({ gt: -1 }), open);
  assert.deepEqual(range({ gte: 0.5 }), { kind: 'number', low: 1, high: Infinity });
  assert.deepEqual(range({ gte: 0, lte: 0.5 }), { kind: 'number', low: -Infinity, high: 0 });
  assert.deepEqual(range({ lte: '18446744073709551614.5' }), { kind: 'bigNumber', low: 0n, high: MAX - 1n });
  assert.deepEqual(range({ gt: '9223372036854775807', lte: '9223372036854775808' }), {
    kind: 'bigNumber',
    low: 2n ** 63n,
    high: 2n ** 63n,
  });
  assert.deepEqual(range({ gte: '18446744073709551614.1' }), { kind: 'bigNumber', low: MAX, high: MAX });
  for (const bounds of [{ gt: MAX }, { gte: '18446744073709551616' }, { lt: 0 }, { lte: -0.5 }, { gte: 7, lte: 6 }])
    assert.equal(range(bounds).kind, 'none');
  assert.throws(() => range({ gte: '18incorrect' }), {
    type: 'number_format_exception',
    reason: 'Character i is neither a decimal digit number, decimal point, nor "e" notation exponential mark.',
  });
});

test('values are shown with all their digits, and read back only when they are unsigned', () => {
  const format = field().format('#.0', null);
  assert.equal(format.toJson(MAX), MAX);
  assert.equal(format.toText(MAX), '18446744073709551615');
  assert.equal(format.parse(MAX), MAX);
  assert.equal(format.parse('7'), 7);
  for (const value of ['-1', '1.5', MAX + 1n])
    assert.throws(() => format.parse(value), { type: 'number_format_exception' });
  assert.equal(field().fetchValue('18446744073709551615', null), MAX);
  assert.equal(field().fetchValue('', null), undefined);
  assert.throws(() => field().format(null, '+01:00'), {
    reason: 'Field [u] of type [unsigned_long] does not support custom time zones',
  });
});
