import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readSource } from '@shoal/json';
import { IngestDocument } from './document.js';
import { runPipeline } from './run.js';
import { inTurns } from './steps-in-turns.js';
import { compiled, testMetadata } from './testing/pipeline-table.js';

const GSUB_OF_ITEM = { field: '_ingest._value', pattern: 'b', replacement: 'X' };

const MANY = Array.from({ length: 1_500 }, (_, i) => ({ n: i, t: `t${i}`, l: [true, 1.5, null] }));
/** JSON of more than 1 MB, which is parsed in turns. */
const LARGE_TEXT = JSON.stringify({ a: JSON.stringify({ x: 1, y: 'z'.repeat(1 << 20), d: [3.5] }) });

/** Runs processors on a document; `isBusy`: the thread is due to others every second time that it is asked. */
async function result(processors: readonly unknown[], source: string, isBusy: boolean): Promise<string> {
  const pipeline = compiled({ p: { processors } })('p')!;
  const document = new IngestDocument(readSource(Buffer.from(source)), testMetadata(), {});
  let asked = 0;
  const pause = (): Promise<void> | null => (isBusy && asked++ % 2 === 0 ? Promise.resolve() : null);
  try {
    await runPipeline(pipeline, document, { monotonic: () => 0, pause, trace: null, user: null, running: [] });
    return JSON.stringify(document.source);
  } catch (error) {
    return String((error as { reason?: string }).reason);
  }
}

test('processors that give the thread to others do the same as those that do not', async () => {
  const rows: [processor: unknown, source: string][] = [
    [{ gsub: { field: 'a', pattern: '(\\w)b', replacement: '$1X' } }, '{"a":["abcb","cbb"]}'],
    [{ gsub: { field: 'a', pattern: '', replacement: '-' } }, '{"a":"ab"}'],
    [{ gsub: { field: 'a', pattern: 'b', replacement: '$2' } }, '{"a":["b"]}'],
    [{ split: { field: 'a', separator: ',' } }, '{"a":",1,,2,,"}'],
    [{ split: { field: 'a', separator: ',', preserve_trailing: true } }, '{"a":",1,,2,,"}'],
    [{ split: { field: 'a', separator: '' } }, '{"a":"abc"}'],
    [{ kv: { field: 'a', field_split: ' ', value_split: '=' } }, '{"a":"b=1 c=2 b=3"}'],
    [{ kv: { field: 'a', field_split: ' ', value_split: '=' } }, '{"a":"b=1 c"}'],
    [{ csv: { field: 'a', target_fields: ['x', 'y', 'z'], trim: true } }, '{"a":"1, \\"b \\"\\"c\\"\\"\\" ,3"}'],
    [{ csv: { field: 'a', target_fields: ['x', 'y'] } }, '{"a":"1,\\"2"}'],
    [{ redact: { field: 'a', patterns: ['%{IP:ip}', '%{WORD:w}'] } }, '{"a":"see 10.0.0.1 now"}'],
    [{ html_strip: { field: 'a' } }, '{"a":["<b>x</b> &amp; <p>y","<!-- -->z"]}'],
    [{ fingerprint: { fields: ['a', 'b'] } }, '{"a":{"y":[1,2.0],"x":{}},"b":[]}'],
    [{ foreach: { field: 'a', processor: { gsub: GSUB_OF_ITEM } } }, '{"a":["abc","cb"]}'],
    [{ uppercase: { field: 'a' } }, '{"a":["b","c"]}'],
    [{ join: { field: 'a', separator: '-' } }, JSON.stringify({ a: Array.from({ length: 9_000 }, (_, i) => i) })],
    [{ join: { field: 'a', separator: '-' } }, '{"a":[]}'],
    [{ json: { field: 'a', target_field: 'b' } }, LARGE_TEXT],
    [{ json: { field: 'a', target_field: 'b' } }, JSON.stringify({ a: `{"x":1,"x":"${'y'.repeat(1 << 20)}"}` })],
    [{ json: { field: 'a', target_field: 'b' } }, JSON.stringify({ a: `1,"v":"${'y'.repeat(1 << 20)}"` })],
    [{ json: { field: 'a', add_to_root: true } }, LARGE_TEXT],
    [{ set: { field: 'b', copy_from: 'a' } }, JSON.stringify({ a: MANY })],
    [{ set: { field: 'b.c', copy_from: 'a' } }, JSON.stringify({ a: { x: MANY, y: { z: null } } })],
    [{ dot_expander: { field: '*' } }, '{"a.b":1,"a.c.d":2,"e.f":[3]}'],
    [{ user_agent: { field: 'a' } }, JSON.stringify({ a: `${'~'.repeat(70_000)} Mozilla/5.0 Firefox/99.0` })],
    [{ append: { field: 'a', value: [1, '1', { b: 2 }, 2], allow_duplicates: false } }, '{"a":[1,{"b":2},null]}'],
    [{ urldecode: { field: 'a' } }, '{"a":["a+b%C3%A9é%2","%41+%zz","%E4x"]}'],
  ];
  for (const [processor, source] of rows) {
    const rested = await result([processor], source, true);
    assert.equal(rested, await result([processor], source, false), JSON.stringify(processor));
    assert.notEqual(rested, source, JSON.stringify(processor));
  }
});

test('work without a pause ends at once', () => {
  let left = 3;
  assert.equal(
    inTurns(
      () => --left > 0,
      () => null,
    ),
    undefined,
  );
  assert.equal(left, 0);
});
