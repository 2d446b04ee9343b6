import assert from 'node:assert/strict';
import { test } from 'node:test';
import { flattenIndexSettings } from './flat-settings.js';
import { validateIndexSettings } from './validate-index-settings.js';

test('a list is no value of a setting with one value', () => {
  const refused = (settings: Record<string, unknown>, reason: string): void =>
    assert.throws(() => validateIndexSettings(flattenIndexSettings(settings)), { reason });
  refused({ number_of_shards: [] }, 'Failed to parse value [[]] for setting [index.number_of_shards]');
  refused({ number_of_shards: [1] }, 'Failed to parse value [[1]] for setting [index.number_of_shards]');
  refused({ hidden: [true] }, 'Failed to parse value [[true]] as only [true] or [false] are allowed.');
  refused(
    { refresh_interval: ['1s', '2s'] },
    'failed to parse setting [index.refresh_interval] with value [[1s, 2s]] as a time value: unit is missing or ' +
      'unrecognized',
  );
  validateIndexSettings(flattenIndexSettings({ 'query.default_field': ['a', 'b'], 'sort.field': [] }));
});
