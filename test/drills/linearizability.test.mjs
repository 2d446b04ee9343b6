import assert from 'node:assert/strict';
import { test } from 'node:test';
import { explain } from './linearizability.mjs';

const op = (kind, value, call, answer, outcome, expected) => ({ kind, value, call, answer, outcome, expected });
const ok = (seqNo, isCreated) => ({ type: 'ok', seqNo, ...(isCreated === undefined ? {} : { isCreated }) });
const found = (value) => ({ type: 'ok', value });
const UNKNOWN = { type: 'unknown' };

test('operations one after another are in order', () => {
  assert.equal(
    explain([
      op('put', 1, 0, 1, ok(0, true)),
      op('put', 2, 2, 3, ok(1, false)),
      op('delete', null, 4, 5, ok(2)),
      op('get', undefined, 6, 7, found(null)),
    ]),
    null,
  );
});

test('an acknowledged write that a later read does not see is told', () => {
  const { left } = explain([
    op('put', 1, 0, 1, ok(0)),
    op('put', 2, 2, 3, ok(1)),
    op('get', undefined, 4, 5, found(1)),
  ]);
  assert.equal(left.length, 1);
});

test('a write without an answer may have happened, later or never', () => {
  const first = op('put', 1, 0, 1, ok(0, true));
  const lost = op('put', 2, 2, Infinity, UNKNOWN);
  for (const value of [1, 2]) assert.equal(explain([first, lost, op('get', undefined, 8, 9, found(value))]), null);
  assert.equal(
    explain([first, lost, op('get', undefined, 4, 5, found(1)), op('get', undefined, 8, 9, found(2))]),
    null,
  );
  assert.notEqual(
    explain([first, lost, op('get', undefined, 4, 5, found(2)), op('get', undefined, 8, 9, found(1))]),
    null,
  );
});

test('of two conditional writes on one value only one succeeds', () => {
  const start = op('put', 1, 0, 1, ok(0));
  const cas = (value, outcome, seqNo) => op('cas', value, 2, 9, outcome === 'ok' ? ok(seqNo) : { type: 'refused' }, 1);
  assert.equal(explain([start, cas(2, 'ok', 1), cas(3, 'refused')]), null);
  assert.notEqual(explain([start, cas(2, 'ok', 1), cas(3, 'ok', 2)]), null);
  assert.notEqual(explain([start, cas(3, 'refused')]), null, 'a conflict with nobody');
});

test('a document is created once', () => {
  assert.notEqual(explain([op('put', 1, 0, 1, ok(0, true)), op('put', 2, 2, 3, ok(1, true))]), null);
  assert.notEqual(explain([op('create', 1, 0, 1, ok(0)), op('create', 2, 2, 3, ok(1))]), null);
});

test('sequence numbers tell the order of writes at the same time', () => {
  const both = [op('put', 1, 0, 9, ok(5)), op('put', 2, 0, 9, ok(4))];
  assert.equal(explain([...both, op('get', undefined, 10, 11, found(1))]), null);
  assert.notEqual(explain([...both, op('get', undefined, 10, 11, found(2))]), null);
});

test('thousands of operations are explained at once', () => {
  const ops = Array.from({ length: 3000 }, (_, i) => op('put', i, i * 2, i * 2 + 5, ok(i, i === 0)));
  assert.equal(
    explain([...ops, ...Array.from({ length: 20 }, (_, i) => op('put', -1 - i, i * 100, Infinity, UNKNOWN))]),
    null,
  );
});
