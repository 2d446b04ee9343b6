import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ChannelHandler, type RequestOptions, type RequestOrigin, withLocalHandler } from '@shoal/doors';
import { errors } from '@shoal/errors';
import { loopbackChannel } from './loopback.js';

/** Records requests and returns their payload; refuses the action `refused`. */
function echo(seen: unknown[]): ChannelHandler {
  const answer = async <T>(
    action: string,
    message: T,
    signal: AbortSignal,
    origin: RequestOrigin | undefined,
  ): Promise<T> => {
    seen.push([action, message, signal.aborted, origin?.parentTask]);
    if (action === 'refused') throw errors.illegalArgument('no');
    return message;
  };
  return withLocalHandler(answer, { actions: new Set(['echo', 'refused']), handle: answer });
}

/** Both ways of a loopback: encoded, and as an object. */
const WAYS: Readonly<
  Record<string, (handler: ChannelHandler, action: string, options?: RequestOptions) => Promise<object>>
> = {
  'as bytes': (handler, action, options) => loopbackChannel(handler).request(action, Uint8Array.of(7), options),
  'as an object': (handler, action, options) =>
    loopbackChannel(handler).local!.request(action, Uint8Array.of(7), options),
};

for (const [way, send] of Object.entries(WAYS)) {
  test(`a message ${way} reaches the handler with its task, and the answer comes back`, async () => {
    const seen: unknown[] = [];
    assert.deepEqual(await send(echo(seen), 'echo', { parentTask: 'n:1' }), Uint8Array.of(7));
    await send(echo(seen), 'echo');
    assert.deepEqual(seen, [
      ['echo', Uint8Array.of(7), false, 'n:1'],
      ['echo', Uint8Array.of(7), false, undefined],
    ]);
  });

  test(`what the handler throws at a message ${way} is the caller's error`, async () => {
    await assert.rejects(send(echo([]), 'refused'), { type: 'illegal_argument_exception', message: 'no' });
  });

  test(`a message ${way} of a caller that has given up is not sent`, async () => {
    const seen: unknown[] = [];
    await assert.rejects(send(echo(seen), 'echo', { signal: AbortSignal.abort() }), {
      type: 'task_cancelled_exception',
    });
    assert.deepEqual(seen, []);
  });
}

test('a loopback to a handler without a local one has no local channel', () => {
  assert.equal(loopbackChannel(async (_action, payload) => payload).local, undefined);
});

test('many requests that nobody withdraws share a signal, and Node warns of no leak', async () => {
  const warnings: string[] = [];
  const note = ({ name }: Error): void => void warnings.push(name);
  process.on('warning', note);
  const channel = loopbackChannel(async (_action, payload, signal) => {
    signal.addEventListener('abort', () => undefined);
    return payload;
  });
  await Promise.all(Array.from({ length: 20 }, () => channel.request('echo', Uint8Array.of(7))));
  await new Promise((resolve) => setImmediate(resolve));
  process.off('warning', note);
  assert.deepEqual(warnings, []);
});
