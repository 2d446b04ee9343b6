import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseTemplate } from './template-source.js';

const render = (source: unknown, values: Record<string, unknown>): string =>
  parseTemplate({ source }).mustache.render(values);

test('a template of a role is a text or an object', () => {
  assert.equal(render({ term: { team: '{{t}}' } }, { t: 'a"b' }), '{"term":{"team":"a\\"b"}}');
  assert.equal(render('{{_user.roles.size}}{{_user.constructor}}', { _user: { roles: ['a'] } }), '1');
});

test('what a function inserts into the query of a role is escaped', () => {
  const source = '{"terms":{"t":["{{#join delimiter=\'","\'}}t{{/join delimiter=\'","\'}}"]}}';
  const t = ['a', 'b"],"boost":0'];
  assert.deepEqual(JSON.parse(render(source, { t })), { terms: { t } });
  assert.equal(render('{{#toJson}}t{{/toJson}}', { t: 'a"' }), '"a\\""');
});

test('stored templates, other languages and malformed templates are refused', () => {
  assert.throws(() => parseTemplate({ id: 'x' }), { type: 'illegal_argument_exception' });
  assert.throws(() => parseTemplate({ source: 'x', lang: 'painless' }), { type: 'illegal_argument_exception' });
  for (const source of ['{{a', '{{#a}}', '{{/a}}', '{{>file}}', '{{}}', '{{=x=}}'])
    assert.throws(() => parseTemplate({ source }), { type: 'script_exception' });
});
