import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ScoreMove } from '@shoal/learning';
import { rescored } from './rescore.js';

const move = (rest: Partial<ScoreMove> = {}): ScoreMove => ({
  ...{ kind: { type: 'record', partition: 'a' }, initialFrom: 50, initialTo: 80, score: 40 },
  ...rest,
});
const record = { partition_field_value: 'a', record_score: 60, initial_record_score: 60 };

test('a record gets the score of its range, and keeps the one it had first', () => {
  assert.deepEqual(rescored(record, [move()]), { ...record, record_score: 40 });
  assert.equal(rescored({ ...record, initial_record_score: 80 }, [move()]), null);
  assert.equal(rescored({ ...record, partition_field_value: 'b' }, [move()]), null);
  assert.equal(rescored({ ...record, record_score: 40 }, [move()]), null);
  assert.equal(rescored(record, [move({ score: 90 })]), null);
});

test('a bucket passes its score on to its influencer', () => {
  const bucket = { anomaly_score: 60, initial_anomaly_score: 60, bucket_influencers: [{ anomaly_score: 60, x: 1 }] };
  assert.deepEqual(rescored(bucket, [move({ kind: { type: 'bucket' } })]), {
    ...bucket,
    ...{ anomaly_score: 40, bucket_influencers: [{ anomaly_score: 40, x: 1 }] },
  });
});
