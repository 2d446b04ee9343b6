import assert from 'node:assert/strict';
import { test } from 'node:test';
import { errorPlace } from './error-places.js';

test('the innermost place of an error is found', () => {
  const body = '{\n  "query": {\n    "mach": {}\n  }\n}';
  const at = (error: object): string | null => {
    const place = errorPlace({ error }, body);
    return place === null ? null : body.slice(place.offset, place.offset + 6);
  };
  assert.equal(at({ type: 'parsing_exception', reason: 'unknown query', line: 3, col: 5 }), '"mach"');
  const cause = { type: 'x', reason: '[3:5] unknown field [mach]' };
  assert.equal(at({ type: 'parsing_exception', reason: 'failed', line: 1, col: 1, caused_by: cause }), '"mach"');
  assert.equal(at({ reason: 'at [Source: x; line: 3, column: 5]' }), '"mach"');
  assert.equal(at({ reason: 'no place' }), null);
  assert.equal(errorPlace({ error: 'text' }, body), null);
  assert.equal(errorPlace({ error: { reason: 'far', line: 99, col: 99 } }, body)!.offset, body.length);
});
