import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseConsole } from './parse-console.js';
import { asCurl, chosenRequests, sentRequest } from './request-text.js';

const send = (text: string, variables: Record<string, string> = {}) =>
  sentRequest(parseConsole(text).requests[0]!, text, new Map(Object.entries(variables)));

test('a body goes as it is written: digits, spaces and lines stay', () => {
  const body = '{\n  "n": 9007199254740993, "k": 1.10,\n  "z": 4.0 }';
  assert.deepEqual([send(`GET a/_search\n${body}`).path, send(`GET a/_search\n${body}`).body], ['/a/_search', body]);
  assert.equal(send('GET /').body, null);
});

test('comments go, triple quotes become JSON, and lines stay where they were', () => {
  const sent = send('GET /\n{ # one\n  /* two\n */ "s": """a "b"\n\\c""" // three\n}').body!;
  assert.deepEqual(JSON.parse(sent), { s: 'a "b"\n\\c' });
  assert.equal(
    sent.indexOf('"s"'),
    sent.split('\n').slice(0, 2).join('\n').length + 1 + sent.split('\n')[2]!.indexOf('"s"'),
  );
});

test('values of a bulk are a line each', () => {
  const text = 'POST a/_bulk\n{"index":{}}\n{\n  "a": 1 // x\n}\n\n{"delete":{"_id":"1"}}';
  assert.equal(send(text).body, '{"index":{}}\n{ "a": 1  }\n{"delete":{"_id":"1"}}\n');
  assert.equal(send('POST _bulk?refresh\n{"a":1}').body, '{"a":1}\n');
});

test('variables are put into the path, texts and values; unknown ones stay', () => {
  const sent = send('GET ${i}/_search\n{"size": ${n}, "q": "a ${t} ${no}"}', { i: 'logs', n: '10', t: '"x"' });
  assert.deepEqual([sent.path, sent.body], ['/logs/_search', '{"size": 10, "q": "a \\"x\\" ${no}"}']);
});

test('a place in what was sent is a place in the editor', () => {
  const text = 'GET /\n{ # long comment\n  "s": """x\ny""",\n  "bad": 1 }';
  const sent = send(text);
  assert.equal(sent.placeOf(sent.body!.indexOf('bad')), text.indexOf('bad'));
});

test('the request at the cursor runs, or those of the selection', () => {
  const text = 'GET /a\n\nGET /b\n{}\n\n# end\n';
  const { requests } = parseConsole(text);
  const chosen = (from: number, to = from) => chosenRequests(requests, from, to).map(({ path }) => path);
  assert.deepEqual(chosen(0), ['/a']);
  assert.deepEqual(chosen(7), ['/a']);
  assert.deepEqual(chosen(text.length), ['/b']);
  assert.deepEqual(chosen(0, text.length), ['/a', '/b']);
  assert.deepEqual(chosenRequests([], 0, 0), []);
});

test('a command for a shell survives quotes', () => {
  const curl = asCurl(send('PUT /a/_doc/1\n{"t":"it\'s"}'), 'elastic');
  assert.equal(
    curl,
    "curl -X PUT 'http://localhost:9200/a/_doc/1' \\\n  -u 'elastic' \\\n  -H 'content-type: application/json' \\\n" +
      `  --data-binary '{"t":"it'\\''s"}'`,
  );
});
