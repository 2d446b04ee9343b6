import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ApiError } from '@shoal/errors';
import { JsonText } from '@shoal/json';
import { parseStoredScript } from './stored-script.js';

function errorOf(body: unknown): readonly (string | null | undefined)[] {
  try {
    parseStoredScript(body);
  } catch (error) {
    assert.ok(error instanceof ApiError);
    return [error.type, error.reason, ...(error.causedBy ? [error.causedBy.reason] : [])];
  }
  throw new assert.AssertionError({ message: 'no error' });
}

test('a stored script has a language and a source; unknown members are ignored', () => {
  assert.deepEqual(parseStoredScript({ script: { lang: 'painless', source: '1 +', params: {}, foo: 1 }, b: 1 }), {
    lang: 'painless',
    source: '1 +',
  });
  const options = { content_type: 'text/plain' };
  assert.deepEqual(parseStoredScript({ script: { lang: 'mustache', source: 'x', options } }).options, options);
});

test('a source that is an object is kept as JSON with the content type of JSON', () => {
  const body = { script: { lang: 'mustache', source: { boost: 1, a: '{{x}}' } } };
  const exact = { script: { lang: 'mustache', source: { boost: new JsonText('1.0'), a: '{{x}}' } } };
  assert.deepEqual(
    parseStoredScript(body, () => exact),
    {
      lang: 'mustache',
      source: '{"boost":1.0,"a":"{{x}}"}',
      options: { content_type: 'application/json;charset=utf-8' },
    },
  );
});

test('malformed bodies are refused as by 8.12', () => {
  const script = (value: unknown): unknown => ({ script: value });
  const rows: [body: unknown, ...error: string[]][] = [
    [[], 'parsing_exception', 'unexpected token [START_ARRAY], expected [{]'],
    [{}, 'parsing_exception', 'unexpected token [END_OBJECT, expected [script]'],
    [{ foo: 'x' }, 'parsing_exception', 'unexpected field [foo], expected [script]'],
    [script('x'), 'parsing_exception', 'unexpected token [VALUE_STRING], expected [{, <source>]'],
    [script({}), 'illegal_argument_exception', 'must specify lang for stored script'],
    [script({ lang: '', source: 'x' }), 'illegal_argument_exception', 'lang cannot be empty'],
    [script({ lang: 'zz' }), 'illegal_argument_exception', 'must specify source for stored script'],
    [script({ lang: 'zz', source: '' }), 'illegal_argument_exception', 'source cannot be empty'],
    [
      script({ lang: 5, source: 6 }),
      'x_content_parse_exception',
      "[stored script source] lang doesn't support values of type: VALUE_NUMBER",
    ],
    [
      script({ lang: 'zz', source: null }),
      'x_content_parse_exception',
      "[stored script source] source doesn't support values of type: VALUE_NULL",
    ],
    [
      script({ lang: 'zz', source: 'x', options: 5 }),
      'x_content_parse_exception',
      "[stored script source] options doesn't support values of type: VALUE_NUMBER",
    ],
    [
      script({ lang: 'zz', source: 'x', options: { a: [1] } }),
      'x_content_parse_exception',
      '[stored script source] failed to parse field [options]',
      "Can't get text on a START_ARRAY",
    ],
    [
      script({ lang: 'zz', source: 'x', options: { content_type: 'a', b: 'c' } }),
      'illegal_argument_exception',
      'illegal compiler options [{content_type=a, b=c}] specified',
    ],
  ];
  for (const [body, ...error] of rows) assert.deepEqual(errorOf(body), error);
});
