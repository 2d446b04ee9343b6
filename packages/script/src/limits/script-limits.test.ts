import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isApiError } from '@shoal/errors';
import { compile } from '../compile.js';
import { checkSimilarityScripts } from '../similarity/scripted-similarity.js';
import { compileTokenPredicate } from '../token-predicate.js';
import { installScriptEnvironment } from '../runtime/environment.js';
import { checkScriptType, limitScripts, scriptStats } from './script-limits.js';
import { readScriptLimits } from './script-settings.js';

let nowMs = 0;
const limitBy = (settings: Readonly<Record<string, string>>): void =>
  limitScripts(readScriptLimits((name) => settings[name] ?? null));
const script = (source: string, lang = 'painless') => ({ lang, source, id: null, params: {}, options: {} });
const run = (source: string, context = 'painless_test'): unknown => compile(script(source), context).call([{}]);

function errorOf(act: () => unknown): readonly unknown[] {
  try {
    act();
  } catch (error) {
    assert.ok(isApiError(error));
    return [error.type, error.status, error.reason];
  }
  throw new assert.AssertionError({ message: 'no error' });
}

const ENVIRONMENT = { nowMs: () => nowMs, wallMs: () => 0, random: () => 0, extractor: () => () => null };

/** A test with a clock of its own. Environment and limits belong to the thread, which runs the tests of other files. */
const limitsTest = (name: string, body: () => void) =>
  test(name, () => {
    installScriptEnvironment(ENVIRONMENT);
    try {
      body();
    } finally {
      limitBy({ 'script.disable_max_compilations_rate': 'true' });
    }
  });

limitsTest('scripts are compiled at a rate; those in the cache always run', () => {
  limitBy({ 'script.max_compilations_rate': '2/1m' });
  assert.deepEqual([run('1'), run('2'), run('1')], [1, 2, 1]);
  const reason =
    '[script] Too many dynamic script compilations within, max: [2/1m]; please use indexed, or scripts with ' +
    'parameters instead; this limit can be changed by the [script.max_compilations_rate] setting';
  assert.deepEqual(
    errorOf(() => run('3')),
    ['circuit_breaking_exception', 429, reason],
  );
  assert.equal(run('1'), 1);
  nowMs += 30_000;
  assert.equal(run('3'), 3);
  assert.throws(() => run('4'), { type: 'circuit_breaking_exception' });
  const { compilations, cacheEvictions, limitTriggered, contexts } = scriptStats();
  assert.deepEqual([compilations, cacheEvictions, limitTriggered, contexts], [3, 0, 2, null]);
});

limitsTest('scripts of pipelines and mappings are compiled at any rate', () => {
  limitBy({ 'script.max_compilations_rate': '0/1m' });
  for (const [context, source] of [
    ['ingest', 'ctx.a = 1'],
    ['processor_conditional', 'true'],
    ['long_field', 'emit(1)'],
  ] as const)
    compile(script(source), context);
  compileTokenPredicate({ source: 'token.position > 0' }, 'a filter');
  checkSimilarityScripts({ script: { source: 'return 1.0 * doc.freq' }, weightScript: { source: 'return 2.0' } });
  assert.equal(compile(script('{{a}}', 'mustache'), 'ingest_template').call([{ a: 'b' }]), 'b');
  assert.throws(() => compile(script('{{a}}', 'mustache'), 'template'), { type: 'circuit_breaking_exception' });
});

limitsTest('with settings of a context, or by choice, each context has a cache and a rate', () => {
  limitBy({ 'script.context.painless_test.max_compilations_rate': '1/1m' });
  assert.equal(run('1'), 1);
  const [, , reason] = errorOf(() => run('2'));
  assert.match(String(reason), /max: \[1\/1m\].*\[script\.context\.painless_test\.max_compilations_rate\] setting/);
  compile(script('true'), 'filter');
  const { contexts, ...sum } = scriptStats();
  assert.deepEqual(sum, { compilations: 2, cacheEvictions: 0, limitTriggered: 1 });
  assert.deepEqual(
    contexts!.filter(({ compilations }) => compilations > 0).map(({ context }) => context),
    ['filter', 'painless_test'],
  );
  limitBy({ 'script.max_compilations_rate': 'use-context' });
  for (let i = 0; i < 75; i++) run(`${i}`);
  assert.throws(() => run('75'), /75\/5m/);
});

limitsTest('caches forget what was used least recently, or not for a while', () => {
  limitBy({ 'script.cache.max_size': '2', 'script.cache.expire': '10s' });
  for (const source of ['1', '2', '1', '3', '1', '2']) run(source);
  assert.deepEqual([scriptStats().compilations, scriptStats().cacheEvictions], [4, 2]);
  nowMs += 10_001;
  run('1');
  assert.deepEqual([scriptStats().compilations, scriptStats().cacheEvictions], [5, 3]);
});

limitsTest('types and contexts of scripts can be forbidden, and long texts', () => {
  limitBy({ 'script.allowed_types': 'stored', 'script.allowed_contexts': 'painless_test,filter' });
  checkScriptType('stored');
  const illegal = 'illegal_argument_exception';
  assert.deepEqual(
    errorOf(() => checkScriptType('inline')),
    [illegal, 400, 'cannot execute [inline] scripts'],
  );
  assert.deepEqual(
    errorOf(() => compile(script('1'), 'score')),
    [illegal, 400, 'cannot execute scripts using [score] context'],
  );
  assert.deepEqual(errorOf(() => compile(script('emit(1)'), 'long_field'))[2], 'cannot execute [inline] scripts');
  limitBy({ 'script.allowed_contexts': 'none', 'script.allowed_types': 'none' });
  assert.throws(() => run('1'), /cannot execute scripts using \[painless_test\] context/);
  assert.throws(() => checkScriptType('stored'), /cannot execute \[stored\] scripts/);
  limitBy({ 'script.max_size_in_bytes': '5' });
  const tooLong = 'exceeded max allowed inline script size in bytes [5] with size [6] for script ["äö"]';
  assert.deepEqual(
    errorOf(() => run('"äö"')),
    [illegal, 400, tooLong],
  );
  assert.equal(run('"äa"'), 'äa');
});
