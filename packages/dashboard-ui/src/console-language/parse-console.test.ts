import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { parseConsole } from './parse-console.js';

const shape = (text: string) =>
  parseConsole(text).requests.map(({ method, path, body }) => [
    method,
    path,
    body.map((n) => text.slice(n.from, n.to)),
  ]);

test('requests, their bodies, lines, comments and triple quotes are told apart', () => {
  const text = `# a comment
get /_cat/indices?v // what is there

POST a/_bulk
{"index":{}}
{"a":1} # GET /no
GET a/_search
{ /* none */ "query": { "script": """
  GET me
""" }, "n": \${size} }
DELETE a`;
  assert.deepEqual(shape(text), [
    ['GET', '/_cat/indices?v', []],
    ['POST', 'a/_bulk', ['{"index":{}}', '{"a":1}']],
    ['GET', 'a/_search', [text.slice(text.indexOf('{ /*'), text.indexOf('\nDELETE'))]],
    ['DELETE', 'a', []],
  ]);
  assert.deepEqual(parseConsole(text).problems, []);
});

test('a body that is not closed does not swallow the next request', () => {
  const { requests, problems } = parseConsole('GET /a\n{ "query": {\n  "ter\n\nGET /b\n{}');
  assert.deepEqual(
    requests.map(({ path }) => path),
    ['/a', '/b'],
  );
  assert.deepEqual(
    problems.map(({ message }) => message.replace(/:.*/, '')),
    [
      'The text is not closed',
      'A colon and a value are expected after the key.',
      'The object is not closed.',
      'The object is not closed.',
    ],
  );
});

test('slips have a place and a sentence', () => {
  for (const [body, at, message] of [
    ['{"a":1,}', 7, /nothing after the last comma/],
    ['{"a" 1}', 4, /colon and a value/],
    ['{a: 1}', 1, /key in double quotes/],
    ['{"a": \'x\'}', 6, /no JSON value/],
    ['{"a": 01}', 6, /no JSON value/],
    ['{"a": 1 "b": 2}', 8, /comma or the end/],
    ['{"a": "\\x"}', 7, /no escape/],
    ['{"a":}', 4, /value is expected/],
    ['[1 2]', 3, /comma or the end/],
    ['{}, {}', 2, /not separated by commas/],
    ['{"a": """x', 6, /triple quotes/],
  ] as const) {
    const [problem] = parseConsole(`GET /\n${body}`).problems;
    assert.match(problem?.message ?? '', message, body);
    assert.equal(problem!.from - 6, at, body);
  }
});

test('nesting without end and texts of any kind are read in one pass', () => {
  assert.match(parseConsole(`GET /\n${'['.repeat(100_000)}`).problems[0]!.message, /100 levels/);
  const piece = fc.constantFrom(
    'GET /a\n',
    '{',
    '}',
    '[',
    ']',
    '"',
    '"""',
    ',',
    ':',
    '\n',
    '#',
    '/*',
    '*/',
    '${',
    '1',
    'x',
    '\\',
  );
  fc.assert(
    fc.property(fc.array(fc.oneof(piece, fc.string()), { maxLength: 40 }), (pieces) => {
      const text = pieces.join('');
      let last = 0;
      for (const { from, to, pathFrom, path } of parseConsole(text).requests) {
        assert.ok(from >= last && to >= from && to <= text.length);
        assert.equal(text.slice(pathFrom, pathFrom + path.length), path);
        last = to;
      }
    }),
    { numRuns: 1_000 },
  );
});

test('a file of 5,000 lines is read within a few milliseconds', () => {
  const request = 'GET /logs/_search\n{\n  "query": { "match": { "message": { "query": "x" } } },\n  "size": 10\n}\n';
  const text = request.repeat(1_000);
  assert.equal(parseConsole(text).requests.length, 1_000);
});

test('what is missing at the end is marked within the text', () => {
  for (const text of ['GET a\n{"s"', 'GET a\n{"s":1,', 'GET a\n"""', 'GET a\n/*'])
    for (const { from, to } of parseConsole(text).problems) assert.ok(from <= to && to <= text.length, text);
});
