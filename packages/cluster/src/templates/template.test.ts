import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isApiError } from '@shoal/errors';
import { parseComponentTemplate, parseIndexTemplate, parseLegacyTemplate } from './template.js';

/** Reasons of an error and its causes, from outside in. */
function reasons(parse: () => unknown): string[] {
  try {
    parse();
  } catch (error) {
    const found: string[] = [];
    for (let one: unknown = error; isApiError(one); one = one.causedBy) found.push(one.reason ?? '');
    return found;
  }
  return [];
}

const index = (json: Record<string, unknown>): string[] => reasons(() => parseIndexTemplate(json));
const component = (template: unknown, more = {}): string[] =>
  reasons(() => parseComponentTemplate({ template, ...more }));

test('fields of a composable template are refused by their kind and their name', () => {
  const failed = (key: string): string => `[index_template] failed to parse field [${key}]`;
  assert.deepEqual(index({ index_patterns: [null] }), [failed('index_patterns'), "Can't get text on a VALUE_NULL"]);
  assert.deepEqual(index({ index_patterns: [['a']] }), [
    failed('index_patterns'),
    'expected value but got [START_ARRAY]',
  ]);
  assert.deepEqual(index({ index_patterns: 1 }), [
    "[index_template] index_patterns doesn't support values of type: VALUE_NUMBER",
  ]);
  assert.deepEqual(index({ index_patterns: 'a', version: null }), [
    "[index_template] version doesn't support values of type: VALUE_NULL",
  ]);
  assert.deepEqual(index({ index_patterns: 'a', priority: 'x' }), [failed('priority'), 'For input string: "x"']);
  assert.deepEqual(index({ index_patterns: 'a', allow_auto_create: 'x' }), [
    failed('allow_auto_create'),
    'Failed to parse value [x] as only [true] or [false] are allowed.',
  ]);
  assert.deepEqual(index({ index_patterns: 'a', priorit: 1 }), [
    '[index_template] unknown field [priorit] did you mean [priority]?',
  ]);
  assert.deepEqual(index({ index_patterns: 'a', data_stream: { hiddn: true } }), [
    failed('data_stream'),
    '[data_stream_template] unknown field [hiddn] did you mean [hidden]?',
  ]);
  assert.deepEqual(index({ priority: 1 }), ['Required [index_patterns]']);
});

test('numbers are cut off, scalars are patterns', () => {
  const template = parseIndexTemplate({ index_patterns: [true, 1.5], priority: 1.5, version: '7' });
  assert.deepEqual(template, { indexPatterns: ['true', '1.5'], priority: 1, version: 7 });
});

test('parts of a template body are refused inside of the field that has it', () => {
  const failed = '[component_template] failed to parse field [template]';
  assert.deepEqual(component({ setings: {} }), [failed, '[template] unknown field [setings] did you mean [settings]?']);
  assert.deepEqual(component({ settings: null }), [
    failed,
    "[template] settings doesn't support values of type: VALUE_NULL",
  ]);
  assert.deepEqual(component({ mappings: [] }), [
    failed,
    '[template] failed to parse field [mappings]',
    'Unexpected token: START_ARRAY',
  ]);
  assert.deepEqual(component(null), ["[component_template] template doesn't support values of type: VALUE_NULL"]);
  assert.deepEqual(component({}, { deprecated: 1 }), [
    "[component_template] deprecated doesn't support values of type: VALUE_NUMBER",
  ]);
});

test('aliases of templates keep what is known of them', () => {
  const aliases = { a: { filtr: {}, is_write_index: 'x', routing: 1 }, b: 7, c: null };
  assert.deepEqual(parseComponentTemplate({ template: { aliases } }).template.aliases, {
    a: { indexRouting: '1', searchRouting: '1' },
    c: {},
  });
});

test('legacy templates name sections of a wrong kind', () => {
  const legacy = (json: Record<string, unknown>): string[] => reasons(() => parseLegacyTemplate(json, null));
  assert.deepEqual(legacy({ index_patterns: 'a', settings: null }), [
    'Malformed [settings] section, should include an inner object',
  ]);
  assert.deepEqual(legacy({ index_patterns: {} }), [
    'Malformed [index_patterns] value, should be a string or a list of strings',
  ]);
  assert.deepEqual(legacy({ index_patterns: 'a', template: 'x' }), ['unknown key [template] in the template ']);
});
