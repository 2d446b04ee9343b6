import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isApiError } from '@shoal/errors';
import { JsonText } from '@shoal/json';
import { checkExecuteBytes, parseExecuteRequest } from './execute-request.js';

function errorOf(body: unknown): readonly unknown[] {
  try {
    parseExecuteRequest(body);
  } catch (error) {
    assert.ok(isApiError(error));
    return [error.type, error.reason, ...(error.causedBy ? [error.causedBy.reason] : [])];
  }
  throw new assert.AssertionError({ message: 'no error' });
}

const script = { source: '1' };

test('a request has a script, and a document for contexts with one', () => {
  const { script: read, context, setup } = parseExecuteRequest({ script });
  assert.deepEqual([read.source, read.lang, context, setup], ['1', 'painless', 'painless_test', null]);
  assert.ok(Object.isFrozen(read.params));
  const document = { a: 1 };
  const whole = { a: new JsonText('1.0') };
  const body = { script, context: 'score', context_setup: { index: 'i', document, query: { match_all: {} } } };
  const exact = (): unknown => ({ ...body, context_setup: { ...body.context_setup, document: whole } });
  assert.deepEqual(parseExecuteRequest(body, exact).setup, {
    index: 'i',
    document: '{"a":1.0}',
    query: { match_all: {} },
  });
});

test('a request has 512 KB at most', () => {
  checkExecuteBytes(524_288);
  assert.throws(() => checkExecuteBytes(524_289), {
    type: 'illegal_argument_exception',
    reason: 'a request of [524289] bytes to run a script is larger than the limit of [524288] bytes',
    status: 400,
  });
});

test('malformed requests are refused', () => {
  const x = 'x_content_parse_exception';
  const rows: [body: unknown, ...error: string[]][] = [
    [[], x, '[1:1] [painless_execute_request] Expected START_OBJECT but was: START_ARRAY'],
    [{ foo: 1 }, x, '[painless_execute_request] unknown field [foo]'],
    [{ script: '1' }, x, "[painless_execute_request] script doesn't support values of type: VALUE_STRING"],
    [{}, 'illegal_argument_exception', 'Required [script]'],
    [
      { script: { foo: 1 } },
      ...[x, '[painless_execute_request] failed to parse field [script]', '[script] unknown field [foo]'],
    ],
    [
      { script, context: 'nope' },
      ...[x, 'Failed to build [painless_execute_request] after last required field arrived'],
      'unsupported script context name [nope]',
    ],
    [
      { script, context_setup: { foo: 1 } },
      ...[x, '[painless_execute_request] failed to parse field [context_setup]'],
      '[execute_script_context] unknown field [foo]',
    ],
    [
      { script: { id: 'x' } },
      ...['action_request_validation_exception', 'Validation Failed: 1: only inline scripts are supported;'],
    ],
    [
      { script, context: 'filter', context_setup: {} },
      'action_request_validation_exception',
      'Validation Failed: 1: index is a required parameter for current context;' +
        '2: document is a required parameter for current context;',
    ],
  ];
  for (const [body, ...error] of rows) assert.deepEqual(errorOf(body), error);
});
