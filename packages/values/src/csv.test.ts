import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseExact } from './exact-json.js';
import { csvCell, csvHead, csvLine } from './csv.js';

test('cells are quoted as RFC 4180 has it, and numbers are as they were written', () => {
  const cell = (json: string): string => csvCell([parseExact(json)], true);
  assert.deepEqual(
    ['9007199254740993', '"9800125870205439"', '1.10', '4.0', '-5', 'null', 'true', '"a,b"', '"a\\"b"', '"a\\nb"'].map(
      cell,
    ),
    ['9007199254740993', '9800125870205439', '1.10', '4.0', '-5', '', 'true', '"a,b"', '"a""b"', '"a\nb"'],
  );
  assert.equal(csvCell([1, 'b', null].map(String), false), '"1, b, null"');
  assert.equal(csvCell([], true), '');
  assert.equal(cell('{"a":1.0}'), '"{""a"":1.0}"');
});

test('what a spreadsheet would run is guarded, also in names, unless it is told not to', () => {
  for (const text of ['=1+1', '+1', '-1', '@a', '\tx']) assert.equal(csvCell([text], true), `'${text}`);
  assert.equal(csvCell(['\r=1'], true), '"\'\r=1"');
  assert.equal(csvCell(['=HYPERLINK("x")'], true), '"\'=HYPERLINK(""x"")"');
  assert.equal(csvCell(['=1+1'], false), '=1+1');
  assert.equal(csvHead(['a', '=b', '@timestamp', '@SUM(1)'], true), "a,'=b,@timestamp,'@SUM(1)\r\n");
  assert.equal(csvLine(['1', '2']), '1,2\r\n');
});
