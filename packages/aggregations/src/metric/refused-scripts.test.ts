import { test } from 'node:test';
import { aggregationFixture } from '../testing/aggregation-fixture.js';

/** Answers and errors are those of Elasticsearch 8.12.0. */
const index = await aggregationFixture({
  mapping: { n: { type: 'long' } },
  documents: [{ n: 1 }, { n: [2, 3] }, { n: 3 }, { n: 10 }, { n: -4 }, {}],
});

test('scripted_metric and scripts of metrics are refused', () =>
  index.refuses([
    [
      { scripted_metric: { init_script: '', map_script: '', combine_script: '', reduce_script: '' } },
      'illegal_argument_exception: script_lang not supported [painless]',
    ],
    [
      { avg: { field: 'n', script: { source: '1' } } },
      'illegal_argument_exception: script_lang not supported [painless]',
    ],
    [
      { sum: { field: 'n', script: { source: '1' } } },
      'illegal_argument_exception: script_lang not supported [painless]',
    ],
    [{ value_count: { script: { source: '1' } } }, 'illegal_argument_exception: script_lang not supported [painless]'],
    [{ cardinality: { script: { source: '1' } } }, 'illegal_argument_exception: script_lang not supported [painless]'],
  ]));
