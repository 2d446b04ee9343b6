import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Hit } from '@shoal/values';
import { readTopValues, sampleTopValues, topValuesBody } from './top-values.js';

test('values are counted by the cluster, and large numbers stay exact', () => {
  assert.deepEqual((topValuesBody({}, 'n') as { aggs: object }).aggs, { values: { terms: { field: 'n', size: 10 } } });
  const answer =
    '{"hits":{"total":{"value":5}},"aggregations":{"values":{"sum_other_doc_count":1,"buckets":[' +
    '{"key":9007199254740993,"doc_count":3},{"key":1,"key_as_string":"true","doc_count":1}]}}}';
  assert.deepEqual(readTopValues(answer), {
    documents: 5,
    others: 1,
    values: [
      { text: '9007199254740993', count: 3 },
      { text: 'true', count: 1 },
    ],
  });
});

test('or among loaded documents, each once', () => {
  const hit = (source: string): Hit => ({ index: 'a', id: '1', source, fields: null, sort: null, others: [] });
  const hits = [hit('{"m":["x","x","y"]}'), hit('{"m":"x"}'), hit('{}')];
  assert.deepEqual(sampleTopValues(hits, 'm'), {
    documents: 3,
    others: 0,
    values: [
      { text: 'x', count: 2 },
      { text: 'y', count: 1 },
    ],
  });
  const many = Array.from({ length: 12 }, (_, i) => hit(`{"m":${i}}`));
  assert.equal(sampleTopValues(many, 'm').others, 2);
});
