import assert from 'node:assert/strict';
import { test } from 'node:test';
import { installScriptEnvironment } from './runtime/environment.js';
import { compileTokenPredicate } from './token-predicate.js';

const TOKEN = { term: 'fox', position: 3, span: 1, start: 16, end: 19, type: '<ALPHANUM>', keyword: false };
const owner = 'tokenfilter [f]';

test('scripts of token filters see all of a token', () => {
  const rows: [source: string, result: boolean][] = [
    ['token.term.length() > 3', false],
    ['token.getTerm().charAt(0) == (char)"f"', true],
    ['token.position == 3 && token.positionIncrement == 2 && token.positionLength == 1', true],
    ['token.startOffset + token.endOffset == 35', true],
    ['token.type == "<ALPHANUM>" && !token.keyword && !token.isKeyword()', true],
    ['return token.getPosition() < 3', false],
  ];
  for (const [source, result] of rows)
    assert.equal(compileTokenPredicate({ source }, owner)()(TOKEN, 2), result, source);
});

test('scripts of token filters have a text of their own, and no parameters', () => {
  const refused = (json: unknown, reason: RegExp | object): void =>
    assert.throws(() => compileTokenPredicate(json, owner), reason);
  refused({}, { reason: 'must specify either [source] for an inline script or [id] for a stored script' });
  refused({ id: 'x' }, { reason: 'Cannot use stored scripts in tokenfilter [f]' });
  refused({ source: 'token.foo' }, { type: 'script_exception' });
  refused({ source: 'params.x' }, { type: 'script_exception' });
});

test('a script may take a second for a text', () => {
  let nowMs = 0;
  installScriptEnvironment({ nowMs: () => nowMs, wallMs: () => 0, random: () => 0, extractor: () => () => null });
  const predicate = compileTokenPredicate({ source: 'true' }, owner)();
  for (let i = 0; i < 1000; i++) predicate(TOKEN, 1);
  nowMs += 1001;
  assert.throws(() => {
    for (let i = 0; i < 256; i++) predicate(TOKEN, 1);
  }, /tokenfilter \[f\] may run no longer than \[1000ms\] for a text/);
});
