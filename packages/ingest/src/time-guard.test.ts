import assert from 'node:assert/strict';
import { test } from 'node:test';
import { boundedRegex } from './grok/bounded-regex.js';
import { TimeGuard, withinTime } from './time-guard.js';

test('an expression that takes for ever is ended, and is watched on its own from then on', () => {
  const guard = new TimeGuard();
  const evil = boundedRegex('^(a+)+$', guard);
  const good = boundedRegex('^(b+)+$', guard);
  const text = `${'a'.repeat(40)}!`;
  assert.throws(() => evil.exec(text), { reason: 'grok pattern matching was interrupted after [100] ms' });
  assert.equal(guard.isWanted, true);
  const seen: string[] = [];
  const isDone = guard.run(() => {
    seen.push(String(good.exec('bbb')?.length));
    evil.exec(text);
    seen.push('never');
  });
  assert.equal(isDone, false);
  assert.deepEqual(seen, ['3']);
  let matched: (number | undefined)[] = [];
  const work = (): void => {
    matched = [];
    assert.throws(() => evil.exec(text), { reason: 'grok pattern matching was interrupted after [100] ms' });
    matched.push(good.exec('bb')?.length);
  };
  let again = false;
  // Where many processes share the processor, the tries of the one expression may take the second of the guard: the
  // work is ended then, at times behind its last statement, and done again from its beginning.
  for (let i = 0; i < 10 && !again; i++) again = guard.run(work);
  assert.equal(again, true, 'the expression alone was ended');
  assert.deepEqual(matched, [2]);
});

test('errors of guarded work are those of the work', () => {
  const guard = new TimeGuard();
  assert.throws(
    () =>
      guard.run(() => {
        throw new RangeError('own');
      }),
    /own/,
  );
});

/** Keeps the thread for a time by the clock. */
function wait(ms: number): void {
  for (const end = performance.now() + ms; performance.now() < end; );
}

test('a match is ended by the time that it had the processor for, not by the clock', () => {
  let processorMs = 0;
  const worksFor = (share: number): ((text: string) => string) =>
    withinTime(
      (text) => {
        wait(250);
        return `${text}!`;
      },
      'a match',
      () => (processorMs += 100 * share),
    );
  assert.equal(worksFor(0.1)('shared'), 'shared!');
  assert.throws(() => worksFor(1)('alone'), { reason: 'a match was interrupted after [100] ms' });
});
