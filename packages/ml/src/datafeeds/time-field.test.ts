import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseDatafeed } from './datafeed-config.js';
import { checkTimeField } from './time-field.js';

const check = (types: readonly (string | null)[], more: object = {}, runtime: readonly string[] = []): void =>
  checkTimeField(
    parseDatafeed('f', { job_id: 'j', indices: ['i'], ...more }),
    'at',
    types.map((typeName) => ({
      runtime: new Map(runtime.map((type) => ['at', { typeName: type, isAggregatable: true }])),
      field: () => (typeName === null ? null : { typeName, isAggregatable: typeName !== 'text' }),
    })),
  );

test('the time of documents must be in a column of an index that is there', () => {
  assert.throws(() => check([null]), /cannot retrieve time field \[at\] because it has no mappings/);
  assert.throws(() => check(['date', 'text']), /because it is not aggregatable/);
  assert.throws(() => check(['keyword']), /because it is of type \[keyword\], not \[date\]/);
  for (const types of [[], ['date'], ['date_nanos', null], ['long']]) check(types);
  check([null, 'text'], {}, ['date']);
  check([null], { runtime_mappings: { at: { type: 'date' } } });
});
