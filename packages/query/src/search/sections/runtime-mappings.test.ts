import { test } from 'node:test';
import { sectionTable } from '../../testing/section-table.js';

test('runtime fields of a search are kept as written; shards parse them', () => {
  const day = { day: { type: 'keyword' } };
  sectionTable(
    'runtimeMappings',
    [
      [{ runtime_mappings: day }, day],
      [{ runtime_mappings: {} }, null],
      [{}, null],
    ],
    [
      [
        { runtime_mappings: Object.fromEntries(Array.from({ length: 1001 }, (_, i) => [`f${i}`, { type: 'long' }])) },
        'illegal_argument_exception: Trying to define too many runtime fields. Must be less than or equal to: [1000] ' +
          'but was [1001]',
      ],
      [{ runtime_mappings: [] }, 'parsing_exception: Unknown key for a START_ARRAY in [runtime_mappings].'],
    ],
  );
});
