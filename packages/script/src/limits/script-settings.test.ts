import assert from 'node:assert/strict';
import { test } from 'node:test';
import { allowedScriptsProblem, scriptCachesProblem } from './script-settings.js';

type Settings = Readonly<Record<string, string>>;

const caches = (settings: Settings): string | null =>
  scriptCachesProblem((name) => settings[name] ?? null, Object.keys(settings));
const allowed = (settings: Settings): string | null => allowedScriptsProblem((name) => settings[name] ?? null);

test('settings of contexts do not go with a rate for all', () => {
  const filter = { 'script.context.filter.max_compilations_rate': '10/1m' };
  assert.equal(caches(filter), null);
  assert.equal(caches({ ...filter, 'script.max_compilations_rate': 'use-context' }), null);
  assert.equal(
    caches({ 'script.context.aggs.cache_expire': '1m', ...filter, 'script.max_compilations_rate': '20/1m' }),
    'Context cache settings [script.context.filter.max_compilations_rate,script.context.aggs.cache_expire] are ' +
      'incompatible with [script.max_compilations_rate] set to non-default value [20/1m]. Either remove the ' +
      'incompatible settings (recommended) or set [script.max_compilations_rate] to [use-context] to use per-context ' +
      'settings',
  );
  assert.equal(
    caches({ 'script.context.foo.cache_max_size': '1' }),
    "Context [foo] doesn't exist for setting [script.context.foo.cache_max_size]",
  );
});

test('a rate does not go with no rate', () => {
  const free = { 'script.disable_max_compilations_rate': 'true' };
  assert.equal(caches(free), null);
  assert.equal(
    caches({ ...free, 'script.max_compilations_rate': '20/1m' }),
    'Cannot set custom general compilation rates [script.max_compilations_rate] to [20/1m] if compile rates disabled ' +
      'via [script.disable_max_compilations_rate]',
  );
  assert.equal(
    caches({ ...free, 'script.context.aggs.max_compilations_rate': '20/1m' }),
    'Cannot set custom context compilation rates [script.context.aggs.max_compilations_rate] if compile rates ' +
      'disabled via [script.disable_max_compilations_rate]',
  );
});

test('lists of types and contexts have known names, or none', () => {
  const types = 'script.allowed_types';
  const rows: readonly [value: string, problem: string | null][] = [
    ['inline', null],
    ['inline, stored', null],
    ['none', null],
    ['', `must specify at least one script type or none for setting [${types}].`],
    ['none,inline', `cannot specify both [none] and other script types for setting [${types}].`],
    ['file', `unknown script type [file] found in setting [${types}].`],
  ];
  for (const [value, problem] of rows) assert.equal(allowed({ [types]: value }), problem, value);
  const contexts = 'script.allowed_contexts';
  assert.equal(allowed({ [contexts]: 'score,ingest_template' }), null);
  assert.equal(allowed({ [contexts]: 'zz' }), `unknown script context [zz] found in setting [${contexts}].`);
});
