import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isApiError } from '@shoal/errors';
import { parseContext } from '../parse/parse-context.js';
import type { SegmentView } from '../searcher.js';
import { memoryIndex } from '../testing/memory-index.js';
import { bindSort } from './bind-sort.js';
import { parseSort } from './parse-sort.js';

const INDEX = memoryIndex({
  mapping: {
    i: { type: 'integer' },
    k: { type: 'keyword' },
    t: { type: 'text' },
    b: { type: 'boolean' },
    f: { type: 'float' },
    d: { type: 'date' },
    geo: { type: 'geo_point' },
    bin: { type: 'binary' },
    c: { type: 'completion' },
    r: { type: 'nested', include_in_root: true, properties: { i: { type: 'integer' } } },
    n: { type: 'nested', properties: { i: { type: 'integer' }, k: { type: 'keyword' } } },
  },
  documents: [{ i: 1, k: 'a', f: [2.9, 4.8, 5.9], d: '1969-12-31T23:59:59Z', n: [{ i: 3 }, { i: 5 }], r: { i: 7 } }],
});

async function bound(sort: unknown): Promise<readonly unknown[]> {
  const searcher = await INDEX.searcher([[0]]);
  const context = { searcher, now: () => 0, nestedPath: null, innerHits: [], allowExpensiveQueries: true };
  const keys = bindSort(parseSort(sort, parseContext(true)), context);
  const view = searcher.segments[0] as SegmentView;
  const root = view.reader.roots!.next(0);
  return keys.map((key) => key.segment(view).value(root, 1));
}

/** Returns an error as `reason <- reason of its cause`. */
async function refusal(sort: unknown): Promise<string> {
  try {
    await bound(sort);
    return 'accepted';
  } catch (error) {
    assert.ok(isApiError(error));
    return [error, error.causedBy]
      .filter((one) => one !== undefined)
      .map(({ type, reason }) => `${type}: ${reason}`)
      .join(' <- ');
  }
}

test('options of a sort are refused by their kind of value, as by the declarative parsers of 8.12', async () => {
  const kinds: [options: object, reason: string][] = [
    [{ order: 5 }, "order doesn't support values of type: VALUE_NUMBER"],
    [{ order: null }, "order doesn't support values of type: VALUE_NULL"],
    [{ mode: 5 }, "mode doesn't support values of type: VALUE_NUMBER"],
    [{ missing: {} }, "missing doesn't support values of type: START_OBJECT"],
    [{ unmapped_type: 5 }, "unmapped_type doesn't support values of type: VALUE_NUMBER"],
    [{ nested: '' }, "nested doesn't support values of type: VALUE_STRING"],
  ];
  for (const [options, reason] of kinds)
    assert.equal(await refusal([{ i: options }]), `x_content_parse_exception: [field_sort] ${reason}`);
  for (const [value, token] of [
    [5, 'END_OBJECT'],
    [[], 'END_ARRAY'],
    [[1], 'VALUE_NUMBER'],
  ])
    assert.equal(
      await refusal([{ i: value }]),
      `x_content_parse_exception: [field_sort] Expected START_OBJECT but was: ${String(token)}`,
    );
  assert.match(await refusal([{ 'n.i': { nested: { path: 'n', bla: 1 } } }]), /unknown field name \[bla\]$/);
  assert.match(await refusal([{ 'n.i': { nested: { path: 'n', filter: {} } } }]), /parsing_exception: Expected filter/);
});

test('sorts by distance are refused where they stand, and on shards without such points', async () => {
  const rows: [body: object, error: string][] = [
    [{ geo: '1,1', bla: 5 }, 'parsing_exception: [_geo_distance] does not support [bla]'],
    [{ geo: '1,1', bla: '2,2' }, 'parsing_exception: Trying to reset fieldName to [bla], already set to [geo].'],
    [{ geo: '91,1' }, 'parse_exception: illegal latitude value [91.0] for [GeoDistanceSort] for field [geo].'],
    [{ geo: '91,1', validation_method: 'COERCE' }, 'accepted'],
  ];
  for (const [body, error] of rows) assert.equal(await refusal([{ _geo_distance: body }]), error);
  assert.match(await refusal([{ _geo_distance: { t: '1,1' } }]), /Fielddata is disabled on \[t\]/);
  assert.match(await refusal([{ _geo_distance: { bin: '1,1' } }]), /Can't load fielddata on \[bin\]/);
});

test('fields that cannot be sorted by are refused, after the nested path', async () => {
  const nested = { path: 'nope' };
  assert.equal(
    await refusal([{ t: { nested } }]),
    'query_shard_exception: [nested] failed to find nested object under path [nope]',
  );
  assert.equal(
    await refusal(['c']),
    'illegal_argument_exception: Fielddata is not supported on field [c] of type [completion]',
  );
  assert.match(await refusal(['_routing']), /Fielddata is not supported on field \[_routing\] of type \[_routing\]/);
  assert.match(await refusal([{ 'n.i': { mode: 'median', nested: { path: 'n' } } }]), /Unsupported sort mode: MEDIAN/);
  assert.match(await refusal([{ k: { numeric_type: 'long' } }]), /cannot be set on a non-numeric field, got keyword/);
  assert.match(await refusal([{ b: { missing: false } }]), /number_format_exception: For input string: "false"/);
});

test('fields of nested objects that are included in the root need no nested path', async () => {
  assert.deepEqual(await bound(['r.i']), [7]);
  assert.match(await refusal(['n.i']), /it is mandatory to set the \[nested\] context/);
});

test('a field that is not mapped sorts as an empty field of `unmapped_type`', async () => {
  assert.deepEqual(await bound([{ x: { unmapped_type: 'long', missing: 3 } }]), [3]);
  assert.deepEqual(await bound([{ x: { unmapped_type: 'keyword' } }]), [null]);
  assert.deepEqual(await bound([{ x: { unmapped_type: 'double' } }]), ['Infinity']);
  assert.match(await refusal([{ x: { unmapped_type: 'bla' } }]), /No mapper found for type \[bla\]/);
  assert.match(await refusal([{ x: { unmapped_type: 'text' } }]), /Fielddata is disabled on \[__anonymous_\]/);
  assert.match(await refusal([{ x: { unmapped_type: 'long', missing: 'x' } }]), /For input string: "x"/);
});

test('decimals that sort as whole numbers are cut one by one', async () => {
  const sorted = (mode: string): Promise<readonly unknown[]> => bound([{ f: { mode, numeric_type: 'long' } }]);
  assert.deepEqual(await sorted('sum'), [11]);
  assert.deepEqual(await sorted('avg'), [4]);
  assert.deepEqual(await sorted('max'), [5]);
  assert.deepEqual(await sorted('min'), [2]);
});

test('dates that nanoseconds do not reach are refused by a sort in nanoseconds', async () => {
  const nanos = (order: string): unknown => [{ d: { numeric_type: 'date_nanos', order } }];
  const reason =
    'illegal_argument_exception: milliSeconds [-1000] are before the epoch in 1970 and cannot be ' +
    'converted to nanoseconds';
  assert.equal(await refusal(nanos('asc')), reason);
  assert.match(await refusal([{ i: { numeric_type: 'date_nanos' } }]), /wrong field used\?/);
  assert.deepEqual(await bound([{ d: 'asc' }]), [-1000]);
});

test('a page begins after a score as it prints, with the digits of a float', async () => {
  const searcher = await INDEX.searcher([[0]]);
  const context = { searcher, now: () => 0, nestedPath: null, innerHits: [], allowExpensiveQueries: true };
  for (const order of ['asc', 'desc']) {
    const [key] = bindSort(parseSort([{ _score: order }, { i: 'asc' }], parseContext(true)), context);
    const keys = key!.segment(searcher.segments[0] as SegmentView);
    const read = new Float64Array(2);
    keys.read(0, Int32Array.of(0, 0), 2, Float64Array.of(1 / 3, Math.fround(0.9541278)), read);
    for (const [i, shown] of [0.33333334, 0.9541278].entries())
      assert.equal(keys.keyOf(0, key!.parseAfter(shown)), read[i], `${shown} ${order}`);
    assert.equal(keys.value(0, 1 / 3), Math.fround(1 / 3));
  }
});
