import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ApiError } from '@shoal/errors';
import { compiled } from './testing/pipeline-table.js';

function refusal(body: Record<string, unknown>): unknown {
  try {
    compiled({ p: body });
    return 'accepted';
  } catch (thrown) {
    const { type, reason, meta } = thrown as ApiError;
    return [type, reason, meta];
  }
}

const parse = (reason: string, meta: object = {}): unknown => ['parse_exception', reason, meta];

test('the body of a pipeline is checked as a whole', () => {
  assert.deepEqual(refusal({}), parse('[processors] required property is missing', { property_name: 'processors' }));
  assert.deepEqual(
    refusal({ processors: {} }),
    parse("[processors] property isn't a list, but of type [java.util.HashMap]", { property_name: 'processors' }),
  );
  assert.deepEqual(
    refusal({ processors: [], foo: 1 }),
    parse("pipeline [p] doesn't support one or more provided configuration parameters [foo]"),
  );
  assert.deepEqual(
    refusal({ processors: [], on_failure: [] }),
    parse('pipeline [p] cannot have an empty on_failure option defined'),
  );
  assert.deepEqual(
    refusal({ processors: [], version: 'x' }),
    parse('[version] property cannot be converted to an int [x]', { property_name: 'version' }),
  );
  assert.equal(refusal({ processors: [], version: '7', description: 'd', _meta: {}, deprecated: true }), 'accepted');
});

test('errors of processors name type, tag and property', () => {
  const of = (processor: unknown): unknown => refusal({ processors: [processor] });
  assert.deepEqual(
    of({ set: { tag: 't', field: 'a' } }),
    parse('[value] required property is missing', {
      processor_type: 'set',
      processor_tag: 't',
      property_name: 'value',
    }),
  );
  assert.deepEqual(of({ zz: {} }), parse('No processor type exists with name [zz]', { processor_type: 'zz' }));
  assert.deepEqual(
    of({ set: 7 }),
    parse("property isn't a map, but of type [java.lang.Integer]", { processor_type: 'set' }),
  );
  assert.deepEqual(of({ set: null }), parse('the config of processor [set] cannot be null', { processor_type: 'set' }));
  assert.deepEqual(
    of({ drop: { tag: 7 } }),
    parse("[tag] property isn't a string, but of type [java.lang.Integer]", { property_name: 'tag' }),
  );
  assert.deepEqual(
    of({ drop: { on_failure: [] } }),
    parse('[on_failure] processors list cannot be empty', { processor_type: 'drop', property_name: 'on_failure' }),
  );
  assert.deepEqual(
    of({ drop: { if: 7 } }),
    parse("[script] property isn't a map or string, but of type [java.lang.Integer]", {
      processor_type: 'conditional',
      property_name: 'script',
    }),
  );
  assert.deepEqual(
    of({ foreach: { field: 'a', processor: { zz: {} } } }),
    parse('No processor type exists with name [zz]', { processor_type: 'foreach' }),
  );
  assert.equal((of(7) as unknown[])[0], 'class_cast_exception');
  assert.equal(of({ script: 'a = 1' }), 'accepted');
});

test('of several wrong processors the first is reported, the others are suppressed', () => {
  assert.throws(
    () => compiled({ p: { processors: [{ set: { field: 1 } }, { zz: {} }, { set: 7 }] } }),
    (error: ApiError) =>
      error.meta['property_name'] === 'field' &&
      error.suppressed?.map(({ reason }) => reason).join() ===
        "No processor type exists with name [zz],property isn't a map, but of type [java.lang.Integer]",
  );
});
