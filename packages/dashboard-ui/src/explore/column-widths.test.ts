import assert from 'node:assert/strict';
import { test } from 'node:test';
import { columnTracks, readWidths, widthAfterKey, widthsText, withWidth } from './column-widths.js';

test('widths survive the address, whatever fields are called', () => {
  const widths = { 'a,b': 200, '50%': 48, 'x:1': 1_000, level: 120 };
  assert.deepEqual(readWidths(widthsText(widths)), widths);
  assert.deepEqual(Object.keys(readWidths('__proto__:90')!), ['__proto__']);
  assert.deepEqual(readWidths(''), {});
});

test('widths have bounds, and what is none is refused', () => {
  assert.deepEqual(readWidths('a:1,b:99999'), { a: 48, b: 1_000 });
  for (const text of ['a', 'a:', 'a:-1', 'a:1e3', ':100', '%:100', 'a:999999'])
    assert.equal(readWidths(text), null, text);
});

test('one width changes and the others stay', () => {
  assert.deepEqual(withWidth({ a: 100, b: 200 }, 'a', 150.4), { b: 200, a: 150 });
  assert.deepEqual(withWidth({ a: 100, b: 200 }, 'a', null), { b: 200 });
});

test('Shift and an arrow make a column wider or narrower, within its bounds', () => {
  assert.equal(widthAfterKey('ArrowRight', true, 100), 116);
  assert.equal(widthAfterKey('ArrowLeft', true, 50), 48);
  assert.equal(widthAfterKey('ArrowRight', true, 995), 1_000);
  assert.equal(widthAfterKey('ArrowRight', false, 100), null);
  assert.equal(widthAfterKey('ArrowDown', true, 100), null);
});

test('columns without a width share what is left', () => {
  const all = { names: ['when', 'a', 'b'], timeField: 'when', hasSummary: false, widths: { b: 99 } };
  assert.equal(columnTracks(all), '4.5rem 16.5rem minmax(8rem, 1fr) 99px');
  assert.equal(
    columnTracks({ names: ['when'], timeField: 'when', hasSummary: true, widths: { when: 80 } }),
    '4.5rem 80px minmax(16rem, 1fr)',
  );
});
