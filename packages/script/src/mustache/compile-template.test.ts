import assert from 'node:assert/strict';
import { test } from 'node:test';
import { JsonText } from '@shoal/json';
import { ApiError } from '@shoal/errors';
import { compileTemplate } from './compile-template.js';

type Params = Record<string, unknown>;

const render = (source: string, params: Params = {}): string => compileTemplate(source).render(params);

function errorOf(run: () => unknown): ApiError {
  try {
    run();
  } catch (error) {
    assert.ok(error instanceof ApiError);
    return error;
  }
  throw new assert.AssertionError({ message: 'no error' });
}

test('variables show values as Java prints them, escaped for JSON unless they are raw', () => {
  const rows: [source: string, params: Params, rendered: string][] = [
    ['"{{ a }}" {{{a}}} {{&a}}', { a: 'x"y\n' }, '"x\\"y\\n" x"y\n x"y\n'],
    ['{{x}}', { x: '<&é' }, '<&é'],
    ['{{x.0.y}} {{x.size}} {{x.+1}}', { x: [{ y: 1 }, 2.5] }, '1 2 2.5'],
    ['{{x}}', { x: [1, 'b', { c: null }, [2]] }, '{0=1, 1=b, 2={c=null}, 3=[2]}'],
    ['{{x}}', { x: { a: 1, b: [1] } }, '{a=1, b=[1]}'],
    [
      '{{x}} {{y}} {{z}}',
      { x: 1e20, y: 12345678901234567890n, z: new JsonText('1.0') },
      '100000000000000000000 12345678901234567890 1.0',
    ],
    ['{{x}} {{y}} {{z}}', { x: 0.00001, y: 123456789.5, z: -0 }, '1.0E-5 1.234567895E8 -0.0'],
    ['{{x}}', { x: { key9: 1, key1: 2, key0: 3, b: 4, a: 5 } }, '{key1=2, a=5, b=4, key0=3, key9=1}'],
    ['{{a.b}}', { 'a.b': 1, a: { b: 2 } }, '1'],
    ['{{a.b.c}}|{{x.}}|{{.x}}|{{nope}}|{{ }}', { a: { 'b.c': 1 }, x: { y: 1 } }, '||||'],
    ['{ {x}} }} {x} {{{{x}}}}', { x: 1 }, '{ {x}} }} {x} }'],
  ];
  for (const [source, params, rendered] of rows) assert.equal(render(source, params), rendered, source);
});

test('nothing that a prototype has is a value, but own members of such names are', () => {
  const source = '{{constructor}}{{__proto__}}{{x.constructor.name}}{{x.length}}{{l.length}}{{l.map}}{{toString}}';
  assert.equal(render(source, { x: 's', l: [1] }), '');
  assert.equal(render('{{#constructor}}a{{/constructor}}{{#__proto__}}b{{/__proto__}}'), '');
  const params = JSON.parse('{"x":{"__proto__":1,"constructor":2}}') as Params;
  assert.equal(render('{{x.__proto__}}{{x.constructor}} {{x}}', params), '12 {__proto__=1, constructor=2}');
});

test('sections repeat for lists, and are left out for null, false, an empty text and an empty list', () => {
  const source = '{{#x}}<{{.}}>{{/x}}{{^x}}no{{/x}}';
  const rows: [unknown, string][] = [
    [[1, 2], '<1><2>'],
    [0, '<0>'],
    [true, '<true>'],
    [{}, '<{}>'],
    ['', 'no'],
    [[], 'no'],
    [false, 'no'],
    [null, 'no'],
    [[null], '<{x=[null]}>'],
    [[[1, 2], [3]], '<{0=1, 1=2}><{0=3}>'],
  ];
  for (const [x, rendered] of rows) assert.equal(render(source, { x }), rendered, JSON.stringify(x));
});

test('a name is looked up in the innermost scope that has its first part', () => {
  assert.equal(render('{{#s}}{{a.b}}{{/s}}', { s: { a: { z: 1 } }, a: { b: 1 } }), '');
  assert.equal(render('{{#s}}{{a}}{{/s}}', { s: { a: null }, a: 5 }), '');
  assert.equal(render('{{#x}}{{b}}{{y}}{{/x}}', { x: { b: 1 }, y: 'o' }), '1o');
  assert.equal(render('{{#x}}{{0}}{{size}}{{y}}{{/x}}', { x: [['p', 'q']], y: 4 }), 'p24');
  assert.equal(render('{{#x.y}}{{z}}{{/x.y}}', { x: { y: [{ z: 7 }, { z: 8 }] } }), '78');
});

test('toJson, join and url are functions of their content', () => {
  const rows: [source: string, params: Params, rendered: string][] = [
    ['{{#toJson}}x{{/toJson}}', { x: { b: [1, 'q', null, true] } }, '{"b":[1,"q",null,true]}'],
    ['{{#toJSON}}x{{/toJSON}}', { x: [0.00001, 1n] }, '[1.0E-5,1]'],
    [
      '{{#toJson}}x{{/toJson}}',
      { x: { key9: 1, key1: 2, key0: 3, b: 4, a: 5 } },
      '{"key1":2,"a":5,"b":4,"key0":3,"key9":1}',
    ],
    ['{{#toJson}}x{{/toJson}} {{#toJson}}y{{/toJson}} {{#toJson}}z{{/toJson}}', { x: 's', y: 5, z: null }, 's 5 '],
    ['{{#toJson}}.{{/toJson}}', { x: ['a'] }, '{"x":["a"]}'],
    ['{{#toJson}}x y{{/toJson}}{{#toJson}}{{x}}{{/toJson}}', { x: 'y', y: [3] }, ''],
    ['{{^toJson}}x{{/toJson}}', {}, 'x'],
    ['{{#join}}x{{/join}}', { x: [1, 'b"', [1, 2], { a: 1 }, true] }, '1,b",[1, 2],{a=1},true'],
    ['{{#join}}x{{/join}} {{#join}}x.y{{/join}}', { x: { y: [1, 2] } }, 'x 1,2'],
    ["{{#join delimiter=' and '}}x{{/join delimiter=' and '}}", { x: [1, 2] }, '1 and 2'],
    ["{{#join foo='|'}}x{{/join foo='|'}}", { x: [1, 2] }, ''],
    ["{{#url}}{{x}}/é!~'()*{{/url}}", { x: 'a b"c+' }, 'a+b%5C%22c%2B%2F%C3%A9%21%7E%27%28%29*'],
    ['{{#url}}{{#join}}x{{/join}}{{/url}}', { x: ['a b', '\ud800'] }, 'a+b%2C%3F'],
  ];
  for (const [source, params, rendered] of rows) assert.equal(render(source, params), rendered, source);
});

test('lines that hold nothing but a tag of a section over several lines are left out', () => {
  const rows: [source: string, params: Params, rendered: string][] = [
    ['{\n  {{#x}}\n  "a":1\n  {{/x}}\n}', { x: true }, '{\n  "a":1\n}'],
    ['{\r\n{{#x}}\r\n"a":1\r\n{{/x}}\r\n}', { x: true }, '{\r\n"a":1\r\n}'],
    ['\n{{#x}}\n "a":1,\n{{/x}}\n{{^x}}\n{{/x}}\n', { x: [1, 2] }, '\n "a":1,\n "a":1,\n'],
    ['a {{#x}}\n b {{/x}} c\n', { x: [1, 2] }, 'a  b  b  c\n'],
    ['  {{#x}} b {{/x}}  \nc', { x: [1, 2] }, '   b  b   \nc'],
    ['  {{!c}}  \nc', {}, '    \nc'],
  ];
  for (const [source, params, rendered] of rows) assert.equal(render(source, params), rendered, source);
});

test('delimiters can be changed; comments, pragmas and blocks of other templates are known', () => {
  assert.equal(render('{{=<% %>=}}<%a%>{{a}}<%={{ }}=%>{{a}}', { a: 1 }), '1{{a}}1');
  assert.equal(render('{{=| |=}}|x| |#x|1|/x|', { x: 1 }), '1 1');
  assert.equal(render('{{! a }}{{%p}}{{$b}}q{{/b}}'), 'q');
});

test('a media type decides how variables are escaped', () => {
  const by = (mediaType: string): string => compileTemplate('{{x}}', { mediaType }).render({ x: 'a "b' });
  assert.equal(by('text/plain'), 'a "b');
  assert.equal(by('application/x-www-form-urlencoded'), 'a+%22b');
  assert.equal(by('application/json; charset=UTF-8'), 'a \\"b');
  assert.equal(errorOf(() => by('text/html')).reason, 'No encoder found for MIME type [text/html]');
});

test('functions can be made to escape what they insert', () => {
  const strict = (source: string, x: unknown): string =>
    compileTemplate(source, { escapesFunctions: true }).render({ x });
  assert.equal(strict('{{#join delimiter=\'","\'}}x{{/join delimiter=\'","\'}}', ['a"', 'b']), 'a\\"","b');
  assert.equal(strict('{{#toJson}}x{{/toJson}}', 's"'), '"s\\""');
  assert.equal(strict('{{#toJson}}no{{/toJson}}', 1), 'null');
});

test('a malformed template is a script_exception that names the line', () => {
  const rows: [source: string, reason: string][] = [
    ['{"a":"{{x', 'Improperly closed variable @[query-template:1]'],
    ['{"a":"{{{x}}"}', 'Improperly closed variable: x in query-template:1@12 @[query-template:1]'],
    ['{\n \n"a":"{{#x}}{{{xyz}}{{/x}}"}', 'Improperly closed variable: xyz in query-template:3@8 @[query-template:3]'],
    ['{{x\n}}{{#a', "Failed to close 'a' tag @[query-template:1]"],
    ['{{#a', "Failed to close 'a' tag @[query-template:1]"],
    ['{"a":"{{#x}}"}', "Failed to close 'x' tag @[query-template:1]"],
    ['{"a":"{{/x}}"}', 'Mismatched start/end tags: null != x in query-template:1 @[query-template:1]'],
    ['{"a":"{{#x}}\n{{/y}}"}', 'Mismatched start/end tags: x != y in query-template:2 @[query-template:2]'],
    [
      "{{#join delimiter='|'}}x{{/join}}",
      "Mismatched start/end tags: join delimiter='|' != join in query-template:1 @[query-template:1]",
    ],
    ['a\nb{{', 'Empty mustache @[query-template:2]'],
    ['{"a":"{{}}"}', 'Empty mustache @[query-template:1]'],
    ['{"a":"{{=<%=}}"}', 'Invalid delimiter string: <% @[query-template:1]'],
    ['{{>p}}', 'Template p not found'],
    ['{{<p}}q{{/p}}', 'Template p not found'],
    ['{{#toJson}}x{{y}}{{/toJson}}', 'Mustache function [toJson] must contain one and only one identifier'],
    ['{{#join}}{{/join}}', 'Mustache function [join] must contain one and only one identifier'],
  ];
  for (const [source, reason] of rows) {
    const error = errorOf(() => compileTemplate(source));
    assert.deepEqual([error.type, error.status, error.reason], ['script_exception', 400, reason]);
    assert.deepEqual(error.meta, { script_stack: [], script: source, lang: 'mustache' });
    const type = reason.endsWith('not found') ? 'mustache_not_found_exception' : 'mustache_exception';
    assert.deepEqual([error.causedBy?.type, error.causedBy?.reason], [type, reason]);
  }
});

test('an index beyond the end of a list, and null in a joined list, are mustache_exceptions', () => {
  const error = errorOf(() => render('\n{{x.9}}', { x: [1] }));
  assert.deepEqual(
    [error.type, error.reason],
    ['mustache_exception', 'Failed to get value for x.9 @[query-template:2]'],
  );
  assert.equal(error.causedBy?.reason, '9 @[query-template:2]');
  assert.deepEqual(
    [error.causedBy?.causedBy?.type, error.causedBy?.causedBy?.reason],
    ['index_out_of_bounds_exception', '9'],
  );
  assert.equal(
    errorOf(() => render('{{#join}}x{{/join}}', { x: [null] })).reason,
    'Function failure @[query-template:1]',
  );
});

test('what is nested too deep or renders too much is refused', () => {
  assert.match(String(errorOf(() => compileTemplate('{{#a}}'.repeat(150))).reason), /nested \[50\] deep/);
  const many = Array.from({ length: 2000 }, () => 'x');
  for (const source of [
    '{{#a}}{{#a}}{{#a}}{{.}}{{/a}}{{/a}}{{/a}}',
    '{{#a}}{{#a}}{{/a}}{{/a}}',
    '{{#a}}{{#b}}{{/b}}{{/a}}'.repeat(60),
    "{{#a}}{{#join delimiter=''}}e{{/join delimiter=''}}{{/a}}",
  ]) {
    const error = errorOf(() => render(source, { a: many, e: many.map(() => '') }));
    assert.deepEqual([error.type, error.causedBy?.type], ['script_exception', 'illegal_argument_exception']);
  }
  assert.match(
    String(errorOf(() => render('{{#url}}{{x}}{{/url}}', { x: 'é'.repeat(1 << 19) })).reason),
    /renders more/,
  );
});
