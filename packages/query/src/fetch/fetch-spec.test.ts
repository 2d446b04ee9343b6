import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseFieldSpecs, parseSourceSpec } from './fetch-spec.js';

/** As in Elasticsearch 8.12.0, whose parser looks at the token behind a null. */
test('a null among fields is left out before an object, and refused elsewhere', () => {
  const fields = (...list: unknown[]) =>
    parseFieldSpecs({ docvalue_fields: list }, 'docvalue_fields').map(({ field }) => field);
  assert.deepEqual(fields(null, { field: 'a' }, 'b'), ['a', 'b']);
  const refused = (next: string) => ({ reason: `[fetch_field_and_format] Expected START_OBJECT but was: ${next}` });
  assert.throws(() => fields(null), refused('END_ARRAY'));
  assert.throws(() => fields(null, 'a'), refused('VALUE_STRING'));
  assert.throws(() => fields({ field: 'a' }, null), refused('END_ARRAY'));
});

test('numbers and booleans of a list of _source are texts', () => {
  const source = (...list: unknown[]) => parseSourceSpec(list, {}, '_source').includes;
  assert.deepEqual(source('a', -1, true), ['a', '-1', 'true']);
  assert.throws(() => source(...Array.from({ length: 32_769 }, (_, i) => `a${i}*`)), {
    reason: 'Trying to filter _source by too many patterns. Must be less than or equal to: [32768] but was [32769]',
  });
  assert.throws(() => source(null), { reason: 'Unknown key for a VALUE_NULL in [_source].' });
});
