import assert from 'node:assert/strict';
import test from 'node:test';
import { decodePathSegment, parseQueryString } from '../http/percent-decoding.js';
import { COMMON_PARAMETERS, RequestParameters } from './params.js';

const params = (query: string, path: Record<string, string> = {}): RequestParameters =>
  new RequestParameters(parseQueryString(query), path);
const reasonOf = (run: () => unknown): string => {
  try {
    run();
  } catch (error) {
    return (error as { reason: string }).reason;
  }
  return 'no error';
};

test('an empty boolean is true, an absent one the default', () => {
  assert.equal(params('pretty').boolean('pretty', false), true);
  assert.equal(params('pretty=').boolean('pretty', false), true);
  assert.equal(params('').boolean('pretty', false), false);
});

test('other words than true and false are refused', () => {
  assert.equal(
    reasonOf(() => params('a=abc').boolean('a', false)),
    'Failed to parse value [abc] as only [true] or [false] are allowed.',
  );
});

test('integers have 32 bits', () => {
  assert.equal(params('size=-3').integer('size', 0), -3);
  assert.equal(
    reasonOf(() => params('size=abc').integer('size', 0)),
    'Failed to parse int parameter [size] with value [abc]',
  );
  assert.equal(
    reasonOf(() => params('size=2147483648').integer('size', 0)),
    'Failed to parse int parameter [size] with value [2147483648]',
  );
  assert.equal(
    reasonOf(() => params('version=x').long('version')),
    'Failed to parse long parameter [version] with value [x]',
  );
});

test('times need a unit', () => {
  assert.equal(params('timeout=2m').time('timeout', 0), 120_000);
  assert.equal(
    reasonOf(() => params('timeout=5').time('timeout', 0)),
    'failed to parse setting [timeout] with value [5] as a time value: unit is missing or unrecognized',
  );
});

test('of a parameter given twice the last counts, plus is a space, escapes are decoded', () => {
  assert.equal(params('q=a&q=b+c%26').text('q'), 'b c&');
});

test('plus stays plus in paths', () => {
  assert.equal(decodePathSegment('a+b%20c', '/a+b%20c'), 'a+b c');
});

test('broken escapes are named', () => {
  assert.equal(
    reasonOf(() => parseQueryString('q=%zz')),
    "java.lang.IllegalArgumentException: invalid escape sequence `%zz' at index 0 of: %zz",
  );
  assert.equal(
    reasonOf(() => parseQueryString('q=%4')),
    'java.lang.IllegalArgumentException: partial escape sequence at end of string: %4',
  );
  assert.equal(
    reasonOf(() => decodePathSegment('%zz', '/%zz/_search')),
    "invalid escape sequence `%zz' at index 1 of: /%zz/_search",
  );
});

test('undeclared parameters are refused together, with what may have been meant', () => {
  const declared = new Set([...COMMON_PARAMETERS, 'routing']);
  const undeclared = (query: string, path: string, unhinted?: readonly string[]): string | null =>
    params(query).undeclared(path, declared, unhinted)?.message ?? null;
  assert.equal(
    undeclared('pritty&foo=1', '/h/_doc/1'),
    'request [/h/_doc/1] contains unrecognized parameters: [foo], [pritty] -> did you mean [pretty]?',
  );
  assert.equal(
    undeclared('routin=1', '/h', ['routing']),
    'request [/h] contains unrecognized parameter: [routin]',
    'parameters that 8.12 reads only if they are given are in no hint',
  );
  assert.match(undeclared('routin=1&routing=2', '/h', ['routing'])!, /did you mean \[routing\]/);
  assert.equal(undeclared('routing=1&pretty', '/h'), null);
});

test('parameters that nobody asked for are refused', () => {
  const given = params('level=shards&foo=1', { index: 'a' });
  given.text('level');
  assert.equal(
    reasonOf(() => given.checkAsked('/_cluster/health')),
    'request [/_cluster/health] contains unrecognized parameter: [foo]',
  );
});

test('path values are parameters too', () => {
  assert.equal(params('x=1', { index: 'a,b' }).text('index'), 'a,b');
  assert.deepEqual(params('', { index: 'a,b' }).list('index'), ['a', 'b']);
});
