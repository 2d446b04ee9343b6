import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseMustache } from './mustache.js';

const filled = (source: string, values: Record<string, unknown>): string => parseMustache(source).render(values);

test('a value is escaped for a JSON text, but not between three braces or after an ampersand', () => {
  assert.equal(filled('"{{ a }}" {{{a}}} {{&a}}', { a: 'x"y' }), '"x\\"y" x"y x"y');
  assert.equal(filled('{{a.b.1}}|{{a.b.size}}|{{nope}}|{{a.nope.x}}', { a: { b: ['p', 'q'] } }), 'q|2||');
});

test('what every object has by itself is no value', () => {
  assert.equal(filled('{{constructor.name}}{{a.__proto__.x}}{{a.length}}', { a: [] }), '');
});

test('sections repeat for lists, stand for what is there, and inverted ones for what is not', () => {
  assert.equal(filled('{{#l}}<{{.}}>{{/l}}{{^l}}none{{/l}}', { l: ['a', 'b'] }), '<a><b>');
  assert.equal(filled('{{#l}}x{{/l}}{{^l}}none{{/l}}', { l: [] }), 'none');
  assert.equal(filled('{{#o}}{{name}}{{outer}}{{/o}}', { o: { name: 'n' }, outer: '!' }), 'n!');
  assert.equal(filled('{{#no}}x{{/no}}{{! said aside }}', {}), '');
});

test('toJson, join and url are functions of their content', () => {
  assert.equal(
    filled('{{#toJson}}a{{/toJson}} {{#toJson}}no{{/toJson}}', { a: ['x', { y: 1 }] }),
    '["x",{"y":1}] null',
  );
  assert.equal(
    filled("{{#join}}a{{/join}} {{#join delimiter='|'}}a{{/join delimiter='|'}} {{#join delimiter='-'}}a{{/join}}", {
      a: ['x', 'y"'],
    }),
    'x,y\\" x|y\\" x-y\\"',
  );
  assert.equal(filled('{{#url}}{{a}}/x{{/url}}', { a: 'p q' }), 'p+q%2Fx');
});

test('numbers are not rounded', () => {
  assert.equal(
    filled('{{n}} {{#toJson}}o{{/toJson}}', { n: 12345678901234567890n, o: { n: 12345678901234567890n } }),
    '12345678901234567890 {"n":12345678901234567890}',
  );
});

test('delimiters can be changed', () => {
  assert.equal(filled('{{=<% %>=}}<%a%>{{a}}<%={{ }}=%>{{a}}', { a: 1 }), '1{{a}}1');
});

test('what is malformed, or makes too much, is refused', () => {
  for (const source of [
    '{{a',
    '{{#a}}',
    '{{/a}}',
    '{{#a}}{{/b}}',
    '{{>file}}',
    '{{}}',
    "{{#join x='1'}}a{{/join}}",
    '{{=x=}}',
    '{{#a}}'.repeat(60),
  ]) {
    assert.throws(() => parseMustache(source), { name: 'ApiError' }, source);
  }
  const many = Array.from({ length: 1000 }, () => 'x');
  assert.throws(
    () => filled('{{#a}}{{#a}}{{#a}}{{.}}{{/a}}{{/a}}{{/a}}', { a: many }),
    /a template makes a text of more than/,
  );
});
