import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkPipelineSize } from './pipeline-size.js';

const many = (count: number): object[] => Array.from({ length: count }, () => ({ drop: {} }));
const groks = (count: number) => ({ grok: { field: 't', patterns: Array.from({ length: count }, () => '%{IP:a}') } });

test('pipelines that take long to compile are refused, wherever their processors stand', () => {
  checkPipelineSize('p', { processors: many(5000) });
  const tooMany = { reason: 'pipeline [p] has [5001] processors, more than the limit of [5000]' };
  assert.throws(() => checkPipelineSize('p', { processors: many(5001) }), tooMany);
  const within = { foreach: { field: 'a', processor: { fail: { message: 'm', on_failure: many(4000) } } } };
  assert.throws(() => checkPipelineSize('p', { processors: [within], on_failure: many(999) }), tooMany);
  checkPipelineSize('p', { processors: [groks(125), groks(125)] });
  const reason = 'pipeline [p] has [251] patterns, more than the limit of [250]';
  assert.throws(() => checkPipelineSize('p', { processors: [groks(125), groks(126)] }), { reason });
});

test('lists that are no processors count for nothing, and may be long', () => {
  checkPipelineSize('p', { processors: [{ set: { field: 'a', value: { patterns: many(300) } } }] });
  checkPipelineSize('p', { processors: [{ set: { field: 'a', value: many(300_000) } }] });
});
