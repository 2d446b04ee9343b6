import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MessageChannel, type MessagePort } from 'node:worker_threads';
import type { ChannelHandler } from '@shoal/doors';
import type { RequestOptions } from '@shoal/doors';
import { errors } from '@shoal/errors';
import { createLink, type Port } from './link.js';

const portOf = (port: MessagePort): Port => ({
  post: (message, transfer) => port.postMessage(message, transfer as ArrayBuffer[]),
  onMessage: (listener) => void port.on('message', listener),
});

async function withPair(
  handler: ChannelHandler,
  body: (link: ReturnType<typeof createLink>) => Promise<void>,
): Promise<void> {
  const { port1, port2 } = new MessageChannel();
  createLink(portOf(port2), handler);
  const link = createLink(portOf(port1), () => Promise.reject(errors.illegalState('not expected')));
  try {
    await body(link);
  } finally {
    port1.close();
    port2.close();
  }
}

test("a request is answered with the handler's bytes, small and large", () =>
  withPair(
    async (action, payload) => new Uint8Array([action.length, ...payload.subarray(0, 3)]),
    async (link) => {
      assert.deepEqual([...(await link.request('shard/get', new Uint8Array([7, 8, 9])))], [9, 7, 8, 9]);
      assert.deepEqual([...(await link.request('x', new Uint8Array(100_000).fill(5)))], [1, 5, 5, 5]);
      assert.equal(link.pendingCount, 0);
    },
  ));

test('the shard that a request is for comes with it, and nothing where none was told', () =>
  withPair(
    async (_action, _payload, _signal, origin) => Buffer.from(JSON.stringify(origin ?? null)),
    async (link) => {
      const origin = async (options?: RequestOptions): Promise<unknown> =>
        JSON.parse(Buffer.from(await link.request('x', new Uint8Array(1), options)).toString());
      const shard = { indexUuid: 'u', shard: 3 };
      assert.deepEqual(await origin({ shard }), { parentTask: null, shard });
      assert.equal(await origin(), null);
    },
  ));

test('an error keeps its type, status, reason and meta across the link', () =>
  withPair(
    () => Promise.reject(errors.indexNotFound('no such index [x]', { meta: { index: 'x' } })),
    async (link) => {
      await assert.rejects(link.request('a', new Uint8Array()), {
        type: 'index_not_found_exception',
        status: 404,
        meta: { index: 'x' },
      });
    },
  ));

test("a caller that gives up gets a task_cancelled_exception and the handler's signal aborts", async () => {
  let aborted = false;
  await withPair(
    (_action, _payload, signal) =>
      new Promise((resolve) => {
        signal.addEventListener('abort', () => {
          aborted = true;
          resolve(new Uint8Array());
        });
      }),
    async (link) => {
      const controller = new AbortController();
      const answer = link.request('slow', new Uint8Array(), { signal: controller.signal });
      controller.abort();
      await assert.rejects(answer, { type: 'task_cancelled_exception' });
      for (let i = 0; i < 100 && !aborted; i++) await new Promise((resolve) => setImmediate(resolve));
      assert.equal(aborted, true);
    },
  );
});

test('when the other side is gone all that waits fails', () =>
  withPair(
    () => new Promise(() => undefined),
    async (link) => {
      const answer = link.request('never', new Uint8Array());
      link.fail('the shard thread ended');
      await assert.rejects(answer, { type: 'no_shard_available_action_exception', reason: 'the shard thread ended' });
    },
  ));
