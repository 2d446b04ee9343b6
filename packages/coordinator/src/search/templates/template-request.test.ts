import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isApiError } from '@shoal/errors';
import { JsonText } from '@shoal/json';
import { checkTemplate, parseTemplateRequest } from './template-request.js';

function errorOf(body: unknown): readonly unknown[] {
  try {
    checkTemplate(parseTemplateRequest(body));
  } catch (error) {
    assert.ok(isApiError(error));
    return [error.type, error.reason, ...(error.causedBy ? [error.causedBy.reason] : [])];
  }
  throw new assert.AssertionError({ message: 'no error' });
}

test('a template request has a source or an id, of which the last counts, and parameters', () => {
  assert.deepEqual(parseTemplateRequest({ id: 'a', params: { x: 1 }, explain: 'true', profile: true }), {
    template: { kind: 'id', text: 'a' },
    params: { x: 1 },
    explain: true,
    profile: true,
  });
  assert.deepEqual(parseTemplateRequest({ id: 'a', source: 'q' }).template, { kind: 'source', text: 'q' });
  assert.deepEqual(parseTemplateRequest({ source: 'q', id: 'a' }).template, { kind: 'id', text: 'a' });
});

test('whole doubles of sources and parameters keep their form', () => {
  const one = new JsonText('1.0');
  const exact = (): unknown => ({ source: { boost: one }, params: { x: one } });
  const { template, params } = parseTemplateRequest({ source: { boost: 1 }, params: { x: 1 } }, exact);
  assert.deepEqual([template, params], [{ kind: 'source', text: '{"boost":1.0}' }, { x: one }]);
});

test('malformed template requests are refused', () => {
  const rows: [body: unknown, ...error: string[]][] = [
    [[], 'x_content_parse_exception', '[1:1] [search_template] Expected START_OBJECT but was: START_ARRAY'],
    ['x', 'x_content_parse_exception', '[1:1] [search_template] Expected START_OBJECT but was: VALUE_STRING'],
    [{ foo: 1 }, 'x_content_parse_exception', '[search_template] unknown field [foo]'],
    [{ soruce: 1 }, 'x_content_parse_exception', '[search_template] unknown field [soruce] did you mean [source]?'],
    [{ id: 5 }, 'x_content_parse_exception', "[search_template] id doesn't support values of type: VALUE_NUMBER"],
    [
      { params: null },
      'x_content_parse_exception',
      "[search_template] params doesn't support values of type: VALUE_NULL",
    ],
    [
      { explain: 'yes' },
      'x_content_parse_exception',
      '[search_template] failed to parse field [explain]',
      'Failed to parse value [yes] as only [true] or [false] are allowed.',
    ],
    [
      { params: {} },
      'action_request_validation_exception',
      "Validation Failed: 1: template is missing;2: template's script type is missing;",
    ],
    [{ source: '' }, 'action_request_validation_exception', 'Validation Failed: 1: template is missing;'],
  ];
  for (const [body, ...error] of rows) assert.deepEqual(errorOf(body), error);
});
