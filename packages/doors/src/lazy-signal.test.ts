import assert from 'node:assert/strict';
import { test } from 'node:test';
import { abortCauseOf, LazySignal } from './lazy-signal.js';

test('listeners hear once that the work is over, and why', () => {
  const signal = new LazySignal();
  const heard: unknown[] = [];
  const listener = (): void => void heard.push(signal.reason);
  signal.addEventListener('abort', listener);
  signal.addEventListener('abort', listener);
  assert.equal(signal.aborted, false);
  signal.throwIfAborted();
  signal.abort('enough');
  signal.abort('again');
  assert.deepEqual(heard, ['enough']);
  assert.throws(
    () => signal.throwIfAborted(),
    (thrown) => thrown === 'enough',
  );
});

test('a listener that was removed hears nothing', () => {
  const signal = new LazySignal();
  const listener = (): void => assert.fail('heard');
  signal.addEventListener('abort', listener);
  signal.removeEventListener('abort', listener);
  signal.abort('enough');
  assert.equal(signal.aborted, true);
});

test('a signal follows another one, whether anybody listens or not', () => {
  const controller = new AbortController();
  const quiet = new LazySignal(abortCauseOf(controller.signal));
  const heeded = new LazySignal(abortCauseOf(controller.signal));
  let heard = 0;
  heeded.addEventListener('abort', () => heard++);
  controller.abort('gone');
  assert.deepEqual([quiet.aborted, quiet.reason, heeded.reason, heard], [true, 'gone', 'gone', 1]);
});

test('a signal that is aborted by itself leaves the one that it follows alone', () => {
  const controller = new AbortController();
  const signal = new LazySignal(abortCauseOf(controller.signal));
  signal.abort('cancelled');
  controller.abort('gone');
  assert.equal(signal.reason, 'cancelled');
});

test('the cause is listened to only while somebody listens', () => {
  let listening = 0;
  const signal = new LazySignal({ aborted: false, reason: null, listen: () => (listening++, () => void listening--) });
  const [first, second] = [(): void => undefined, (): void => undefined];
  assert.equal(listening, 0);
  signal.addEventListener('abort', first);
  signal.addEventListener('abort', second);
  assert.equal(listening, 1);
  signal.removeEventListener('abort', first);
  assert.equal(listening, 1);
  signal.removeEventListener('abort', second);
  assert.equal(listening, 0);
});
