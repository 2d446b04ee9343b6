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
    [[{ runtime_mappings: [] }, 'parsing_exception: Unknown key for a START_ARRAY in [runtime_mappings].']],
  );
});
