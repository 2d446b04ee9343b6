import assert from 'node:assert/strict';
import { test } from 'node:test';
import { WorkMeter } from './work-meter.js';

/** A meter whose clock and processor the test moves. */
function scene(askingMs = 0) {
  const time = { clock: 0, processor: 0, asked: 0 };
  const processor = (): number => {
    time.asked++;
    time.clock += askingMs;
    return time.processor;
  };
  const meter = new WorkMeter(() => time.clock, processor);
  return {
    time,
    /** A span that takes so long by the clock and by the processor, after a time between spans. */
    span(clockMs: number, processorMs: number, betweenMs = 0): number {
      time.clock += betweenMs;
      time.processor += betweenMs;
      meter.begin();
      time.clock += clockMs;
      time.processor += processorMs;
      return meter.end();
    },
  };
}

test('a long span is as long as the processor worked, however long it waited for one', () => {
  const { span } = scene();
  assert.equal(span(100, 3), 3);
  assert.equal(span(100, 3, 5), 3);
  assert.equal(span(2, 9, 5), 2, 'other threads worked too');
});

test('short spans are told by the clock, without asking the system each time', () => {
  const { time, span } = scene();
  let sum = 0;
  for (let i = 0; i < 1_000; i++) sum += span(0.02, 0.02, 0.01);
  assert.ok(Math.abs(sum - 20) < 1e-6, String(sum));
  assert.ok(time.asked <= 31, `${time.asked} times for 30 ms`);
});

test('what was used in the millisecond before a long span counts with it at most', () => {
  const { span } = scene();
  span(0.1, 0.1);
  const ms = span(50, 2, 0.5);
  assert.ok(ms >= 2 && ms <= 3, String(ms));
});

test('where asking the system takes long, little time is spent on it', () => {
  const { time, span } = scene(0.5);
  for (let i = 0; i < 2_000; i++) span(2, 2, 0.1);
  assert.ok(time.asked * 0.5 < 0.03 * time.clock, `${time.asked} times in ${time.clock} ms`);
  assert.ok(span(1_000, 30) <= 30 + 50, 'long spans are still told by the processor');
});
