import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { parseActionLine } from './action-line.js';
import { PLACE, PLACES, PLAIN_ACTIONS, scanPlainAction } from './plain-action.kernel.js';

interface Plain {
  readonly op: string;
  readonly index: string | null;
  readonly id: string | null;
}

/** What the scan finds in a line between two others; null for a line that it leaves to the parser. */
function scanned(line: string): Plain | null {
  const body = Buffer.from(`{}\n${line}\n"}}`);
  const places = new Int32Array(PLACES);
  const action = scanPlainAction(body, 3, body.length - 4, places);
  const text = (start: number, end: number): string | null =>
    places[start]! < 0 ? null : body.toString('latin1', places[start], places[end]);
  return action < 0
    ? null
    : {
        op: PLAIN_ACTIONS[action]!,
        index: text(PLACE.indexStart, PLACE.indexEnd),
        id: text(PLACE.idStart, PLACE.idEnd),
      };
}

test('plain lines are read without the parser', () => {
  assert.deepEqual(scanned('{"index":{}}'), { op: 'index', index: null, id: null });
  assert.deepEqual(scanned('{"create":{"_id":"a b"}}'), { op: 'create', index: null, id: 'a b' });
  assert.deepEqual(scanned('{"delete":{"_index":"h"}}'), { op: 'delete', index: 'h', id: null });
  assert.deepEqual(scanned('{"update":{"_index":"h","_id":""}}'), { op: 'update', index: 'h', id: '' });
});

test('any other line is left to the parser', () => {
  const others = [
    '',
    '{"index":{"_id":"é"}}',
    '{"index":{"_id":"a\\n"}}',
    '{"index":{"_id":"1","routing":"r"}}',
    '{"index":{"_id":7}}',
    '{"index" :{}}',
    '{"index":{"_id":"1"}} ',
    '{"index":{"_index":"h",}}',
    '{"index":{"_index":"h""_id":"1"}}',
    '{"index":{"_id":"1"}',
    '{"index":{"_id":"1',
    '{"index":{"_id":"1"}}}',
    '{"indexes":{}}',
  ];
  for (const line of others) assert.equal(scanned(line), null, line);
});

test('what the scan reads is what the parser reads', () => {
  const word = fc.oneof(fc.constantFrom('a', 'index-1', '"', '\\', 'ü', '\u0001', '}}'), fc.string());
  const piece = fc.oneof(fc.constantFrom('"_index":"', '"_id":"', '"', ',', '}}', '}', ' '), word);
  const quoted = word.map((text) => JSON.stringify(text));
  const wellFormed = fc
    .tuple(fc.option(quoted), fc.option(quoted))
    .map(([index, id]) => [index && `"_index":${index}`, id && `"_id":${id}`].filter(Boolean).join(',') + '}}');
  const head = fc.constantFrom('{"index":{', '{"create":{', '{"update":{', '{"delete":{');
  fc.assert(
    fc.property(
      head,
      fc.oneof(
        wellFormed,
        fc.array(piece, { maxLength: 6 }).map((pieces) => pieces.join('')),
      ),
      (start, rest) => {
        const line = (start + rest).replaceAll('\n', '');
        const found = scanned(line);
        if (found === null) return;
        const { op, index, id } = parseActionLine(Buffer.from(line), 1, false)!;
        assert.deepEqual(found, { op, index, id });
      },
    ),
    { numRuns: 500 },
  );
});
