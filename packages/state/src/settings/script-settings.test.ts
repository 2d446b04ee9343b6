import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CLUSTER_SETTINGS, validateClusterSetting } from './cluster-settings.js';

const check = (value: string): void =>
  CLUSTER_SETTINGS.get('script.max_compilations_rate')!.check(value, 'script.max_compilations_rate');

test('a rate of compilations is a number and a time of a minute or more', () => {
  for (const value of ['150/5m', '0/1m', '75/90s', 'use-context']) check(value);
  const form = (value: string): string =>
    `parameter must contain a positive integer and a timevalue, i.e. 10/1m, but was [${value}]`;
  const rows: [value: string, reason: string][] = [
    ['x', form('x')],
    ['/1m', form('/1m')],
    ['1/', form('1/')],
    ['a/1m', 'could not parse [a] as integer in value [a/1m]'],
    ['99999999999/1m', 'could not parse [99999999999] as integer in value [99999999999/1m]'],
    ['-1/1m', 'rate [-1] must be positive'],
    ['1/0s', 'time value [0s] must be positive'],
    ['1/10ms', 'time value [10ms] must be at least on a one minute resolution'],
  ];
  for (const [value, reason] of rows)
    assert.throws(() => check(value), { type: 'illegal_argument_exception', reason }, value);
});

test('each context of scripts has settings of its own', () => {
  const valid = (name: string, value: string): void => validateClusterSetting('persistent', name, value);
  valid('script.context.filter.max_compilations_rate', 'unlimited');
  valid('script.context.moving-function.max_compilations_rate', '75/5m');
  valid('script.context.filter.cache_max_size', '0');
  valid('script.context.filter.cache_expire', '1m');
  valid('script.cache.max_size', '10');
  const rows: [name: string, value: string, reason: string][] = [
    ['filter.bar', '10/1m', 'persistent setting [script.context.filter.bar], not recognized'],
    ['filter.max_compilations_rate', 'use-context', 'parameter must contain a positive integer and a timevalue'],
    ['filter.cache_max_size', '-1', 'Failed to parse value [-1] for setting [script.context.filter.cache_max_size]'],
    ['filter.cache_expire', '-1', 'failed to parse value [-1] for setting [script.context.filter.cache_expire]'],
  ];
  for (const [name, value, reason] of rows)
    assert.throws(
      () => valid(`script.context.${name}`, value),
      (error: Error & { reason?: string }) => error.reason!.startsWith(reason),
      name,
    );
});
