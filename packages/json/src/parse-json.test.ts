import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isApiError } from '@shoal/errors';
import fc from 'fast-check';
import { deepEqual } from './plain-object.js';
import { parseJson, parseSource, parseSourceInTurns } from './parse-json.js';
import { StrictParser } from './strict-parser.js';
import { stringify } from './stringify.js';

const bytes = (text: string): Uint8Array => Buffer.from(text);

function failure(
  parse: (bytes: Uint8Array) => unknown,
  text: Uint8Array | string,
): { type: string; reason: string | null; cause: string | undefined } {
  try {
    parse(typeof text === 'string' ? bytes(text) : text);
  } catch (error) {
    if (isApiError(error)) return { type: error.type, reason: error.reason, cause: error.causedBy?.type };
    throw error;
  }
  return assert.fail('parsed');
}

/** The value with each bigint rounded to a double, as `JSON.parse` reads it. */
const rounded = (value: unknown): unknown => JSON.parse(stringify(value));
const at = (col: number): string =>
  `\n at [Source: (org.elasticsearch.common.io.stream.ByteBufferStreamInput); line: 1, column: ${col}]`;

test('malformed bodies are refused with the words and places of Elasticsearch', () => {
  const cases: [text: string | Uint8Array, reason: string][] = [
    [
      '{"query":{"match_all":{}}} x',
      "[1:29] Unrecognized token 'x': was expecting (JSON String, Number, Array, Object or token 'null', 'true' or " +
        "'false')",
    ],
    ['{"query":{"match_all":{},"match_all":{}}}', "[1:37] Duplicate field 'match_all'"],
    [
      '{"query":tru}',
      "[1:14] Unrecognized token 'tru': was expecting (JSON String, Number, Array, Object or token 'null', 'true' " +
        "or 'false')",
    ],
    ["{'query':1}", "[1:3] Unexpected character (''' (code 39)): was expecting double-quote to start field name"],
    ['{query:1}', "[1:3] Unexpected character ('q' (code 113)): was expecting double-quote to start field name"],
    [Buffer.from('{"query":{"term":{"a":"\xff\xfe"}}}', 'latin1'), '[1:25] Invalid UTF-8 start byte 0xff'],
    [
      '{"query":{"term":{"a":"x\ty"}}}',
      '[1:26] Illegal unquoted character ((CTRL-CHAR, code 9)): has to be escaped using backslash to be included ' +
        'in string value',
    ],
    ['{"query":{"term":{"a":"x\\qy"}}}', "[1:27] Unrecognized character escape 'q' (code 113)"],
    ['{"query":{"term":{"a":01}}}', '[1:24] Invalid numeric value: Leading zeroes not allowed'],
    [
      '{"query":{"term":{"a":NaN}}}',
      "[1:26] Non-standard token 'NaN': enable `JsonReadFeature.ALLOW_NON_NUMERIC_NUMBERS` to allow",
    ],
  ];
  for (const [text, reason] of cases) {
    const col = Number(/^\[1:(\d+)\]/.exec(reason)![1]);
    assert.deepEqual(failure(parseJson, text), {
      type: 'x_content_parse_exception',
      reason: reason + at(col),
      cause: 'json_parse_exception',
    });
  }
});

test('a body that ends too early names the object that is open', () => {
  assert.deepEqual(failure(parseJson, '{"query":{"match_all":{}}'), {
    type: 'x_content_e_o_f_exception',
    reason:
      'com.fasterxml.jackson.core.io.JsonEOFException: Unexpected end-of-input: expected close marker for Object ' +
      '(start marker at [Source: (org.elasticsearch.common.io.stream.ByteBufferStreamInput); line: 1, column: ' +
      `1])${at(26)}`,
    cause: 'json_e_o_f_exception',
  });
});

test('errors of documents give the last good token and quote the document', () => {
  assert.equal(
    failure(parseSource, '{"a":1,"b":2,"a":2}').reason,
    '[1:12] failed to parse: [1:17] Duplicate field \'a\'\n at [Source: (byte[])"{"a":1,"b":2,"a":2}"; line: 1, ' +
      'column: 17]',
  );
  assert.equal(
    failure(parseSource, '{"a":').reason,
    '[1:2] failed to parse: com.fasterxml.jackson.core.io.JsonEOFException: Unexpected end-of-input within/between ' +
      'Object entries\n at [Source: (byte[])"{"a":"; line: 1, column: 6]',
  );
  assert.match(failure(parseSource, '{"a":1}x').reason ?? '', /^\[1:9\] \[1:9\] Unrecognized token 'x'/);
  assert.equal(
    failure(parseSource, `{"a":${'['.repeat(1100)}${']'.repeat(1100)}}`).reason,
    '[1:1005] failed to parse: Depth (1001) exceeds the maximum allowed nesting depth (1000)',
  );
  assert.equal(failure(parseSource, '[1]').type, 'not_x_content_exception');
});

test('duplicate keys are found wherever they are, also when escaped differently', () => {
  for (const text of [
    '{"a":[{"b":1,"b":2}]}',
    '{"a":1,"\\u0061":2}',
    '{"__proto__":1,"__proto__":2}',
    '{"a":{},"a":null}',
  ]) {
    assert.match(failure(parseJson, text).reason ?? '', /Duplicate field/, text);
  }
});

test('integers beyond 2^53 keep all digits, in documents and out', () => {
  const text = '{"id":9223372036854775807,"small":9007199254740991,"f":0.12345678901234566}';
  const value = parseSource(bytes(text)) as { id: unknown; small: unknown };
  assert.equal(value.id, 9223372036854775807n);
  assert.equal(value.small, 9007199254740991);
  assert.equal(stringify(value), text);
});

test('comments and a byte-order mark are skipped', () => {
  assert.deepEqual(parseJson(bytes('\ufeff{"a":1, /* "b */ "b":2} // end')), { a: 1, b: 2 });
});

test('a key named __proto__ is data', () => {
  const value = parseSource(bytes('{"__proto__":{"x":12345678901234567890}}'));
  assert.deepEqual(Object.keys(value), ['__proto__']);
  assert.equal(({} as Record<string, unknown>)['x'], undefined);
});

test('what is printed parses to the same value, by both parsers', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 5 }), (value) => {
      const text = Buffer.from(JSON.stringify(value));
      assert.ok(deepEqual(rounded(parseJson(text)), JSON.parse(text.toString())));
      assert.ok(deepEqual(rounded(new StrictParser(text).parse()), JSON.parse(text.toString())));
    }),
  );
});

test('both parsers refuse the same texts', () => {
  const mutated = fc
    .tuple(fc.jsonValue({ maxDepth: 3 }), fc.nat(), fc.constantFrom(...'{}[]",:0e-\\x\n'))
    .map(([value, where, char]) => {
      const text = JSON.stringify(value);
      const i = where % (text.length + 1);
      return text.slice(0, i) + char + text.slice(i + 1);
    });
  fc.assert(
    fc.property(mutated, (text) => {
      const outcome = (parse: () => unknown): unknown => {
        try {
          return [parse()];
        } catch {
          return null;
        }
      };
      const strict = outcome(() => new StrictParser(Buffer.from(text)).parse());
      const plain = outcome(() => JSON.parse(text));
      if (strict !== null) assert.ok(deepEqual(rounded(strict), rounded(plain)));
      else if (plain !== null) assert.match(failure(parseJson, text).reason ?? '', /Duplicate field/);
    }),
    { numRuns: 1000 },
  );
});

test('a document is parsed in turns as at a stretch', async () => {
  let turns = 0;
  const turn = (): Promise<void> => Promise.resolve(void turns++);
  const good = ['{"a":1,"b":["x",{}]}', '{"é":12345678901234567890}', `{"a":"${'x'.repeat(40_000)}"}`];
  for (const text of good) assert.deepEqual(await parseSourceInTurns(bytes(text), turn), parseSource(bytes(text)));
  assert.ok(turns >= 2 * good.length);
  turns = 0;
  const dense = JSON.stringify(Array.from({ length: 100_001 }, () => ({ a: 1 })));
  assert.deepEqual(await parseSourceInTurns(bytes(`{"l":${dense}}`), turn), { l: JSON.parse(dense) as unknown });
  assert.ok(turns > 40, 'a text of many keys is parsed by slices');
  for (const text of ['{"a":1,"a":2}', '{"a":', '{"a":1}x', '[1]']) {
    const wanted = failure(parseSource, text);
    const source = bytes(text);
    await assert.rejects(parseSourceInTurns(source, turn), { type: wanted.type, reason: wanted.reason });
  }
});
