import assert from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import { PassThrough } from 'node:stream';
import { test } from 'node:test';
import { fakeClock } from '@shoal/doors';
import { setImmediate } from 'node:timers/promises';
import { createBodyTurns, type PausableMessage } from './body-turns.js';

const MIB = 2 ** 20;

/** The limit of body turns with a clock whose turns the test starts. */
function scene(): {
  readonly turns: ReturnType<typeof createBodyTurns>;
  readonly clock: ReturnType<typeof fakeClock>;
  next(): Promise<void>;
} {
  const clock = fakeClock();
  let go = (): void => undefined;
  const turns = createBodyTurns({ after: clock.after, yield: () => new Promise<void>((resolve) => (go = resolve)) });
  return { turns, clock, next: () => (go(), setImmediate()) };
}

/** A body of which some bytes arrive in each turn unless it is paused. */
function sender(log: string[], name: string): PausableMessage & { isPaused: boolean } {
  const message = {
    isPaused: false,
    pause: () => ((message.isPaused = true), message),
    resume: () => (log.push(name), (message.isPaused = false), message),
  };
  return message as unknown as PausableMessage & { isPaused: boolean };
}

test('a turn takes some megabytes; what is more waits for the next one', async () => {
  const { turns, next } = scene();
  const [a, b] = [sender([], 'a'), sender([], 'b')];
  const [fromA, fromB] = [turns.enter(a), turns.enter(b)];
  for (let i = 0; i < 3; i++) fromA(MIB);
  assert.equal(a.isPaused, false);
  fromB(2 * MIB);
  fromA(1);
  assert.deepEqual([a.isPaused, b.isPaused], [true, true]);
  await next();
  assert.deepEqual([a.isPaused, b.isPaused], [false, false]);
  fromB(5 * MIB);
  assert.equal(b.isPaused, true);
  await next();
  assert.equal(b.isPaused, false);
});

test('a few bodies go on at a time, those first that began first', async () => {
  const { turns, next } = scene();
  const log: string[] = [];
  const names = Array.from({ length: 20 }, (_, i) => `${i}`);
  const arrived = names.map((name) => turns.enter(sender(log, name)));
  for (const one of [...arrived].reverse()) one(4 * MIB);
  await next();
  assert.deepEqual(log, names.slice(0, 8));
  arrived[3]!(5 * MIB);
  arrived[1]!(5 * MIB);
  await next();
  assert.deepEqual(log.slice(8), ['1', '3', ...names.slice(8, 14)]);
});

function request(bytes: number): IncomingMessage {
  return Object.assign(new PassThrough({ highWaterMark: 2 ** 26 }), {
    headers: { 'content-length': String(bytes) },
  }) as unknown as IncomingMessage;
}

test('what is left of refused bodies is taken a megabyte every ten milliseconds, of one after the other', async () => {
  const { turns, clock } = scene();
  const bodies = [request(3 * MIB), request(3 * MIB)];
  const left = (): number[] => bodies.map(({ readableLength }) => readableLength / MIB);
  for (const body of bodies) {
    for (let i = 0; i < 3; i++) (body as unknown as PassThrough).write(Buffer.alloc(MIB));
    turns.discard(body);
  }
  await setImmediate();
  assert.deepEqual(left(), [3, 3]);
  for (const expected of [
    [2, 3],
    [2, 2],
    [1, 2],
    [1, 1],
    [0, 1],
    [0, 0],
  ]) {
    clock.advance(10);
    await setImmediate();
    assert.deepEqual(left(), expected);
  }
});

test('small bodies, and those that were read, are left to the server', () => {
  const { turns } = scene();
  const small = request(1000);
  turns.discard(small);
  const read = request(6 * MIB);
  (read as unknown as PassThrough).write('x');
  read.read();
  turns.discard(read);
  assert.deepEqual([small.listenerCount('data'), read.listenerCount('data')], [0, 0]);
});
