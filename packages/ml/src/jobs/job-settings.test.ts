import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bodyReader, type JsonObject } from '@shoal/json';
import { checkSettings } from './job-settings.js';

const check = (given: JsonObject, before: JsonObject = {}): void =>
  checkSettings(bodyReader('job_update', given), { ...before, ...given });

test('settings that make sense are taken, and null for none', () => {
  check({ description: 'd', custom_settings: { a: 1 }, background_persist_interval: '1h' });
  check({ description: null, custom_settings: null, background_persist_interval: null });
  check({ model_snapshot_retention_days: 5, daily_model_snapshot_retention_after_days: 5 });
});

test('settings that make no sense are refused', () => {
  assert.throws(() => check({ description: 5 }), /description doesn't support values of type: VALUE_NUMBER/);
  assert.throws(() => check({ custom_settings: 3 }), /custom_settings doesn't support values of type: VALUE_NUMBER/);
  assert.throws(() => check({ background_persist_interval: '1s' }), /cannot be less than 3600\. Value = 1/);
  assert.throws(() => check({ background_persist_interval: 'soon' }), /background_persist_interval/);
  const days = /daily_model_snapshot_retention_after_days \[5\] cannot be greater than .* \[1\]/;
  const daily = { daily_model_snapshot_retention_after_days: 5 };
  assert.throws(() => check({ ...daily, model_snapshot_retention_days: 1 }), days);
  assert.throws(() => check({ model_snapshot_retention_days: 1 }, daily), days);
});
