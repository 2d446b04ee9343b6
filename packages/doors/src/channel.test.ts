import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Channel, type MessagePair, sendMessage } from './channel.js';

interface Count {
  readonly n: number;
}

const PAIR: MessagePair<Count, Count> = {
  action: 'count',
  encodeRequest: ({ n }) => Uint8Array.of(n),
  shardOf: () => undefined,
  decodeAnswer: ([n]) => ({ n: n! }),
};

/** Adds one to a message that comes as bytes, ten to one that comes as an object. */
function counting(actions: readonly string[]): Channel {
  return {
    request: async (_action, [n]) => Uint8Array.of(n! + 1),
    local: { actions: new Set(actions), request: async (_action, message) => ({ n: (message as Count).n + 10 }) },
  };
}

test('a message goes as an object if the local channel takes its action, else as bytes', async () => {
  assert.deepEqual(await sendMessage(counting(['count']), PAIR, { n: 1 }), { n: 11 });
  assert.deepEqual(await sendMessage(counting(['other']), PAIR, { n: 1 }), { n: 2 });
  assert.deepEqual(await sendMessage({ request: async (_action, [n]) => Uint8Array.of(n! + 1) }, PAIR, { n: 1 }), {
    n: 2,
  });
});

test('the shard that a request is for goes beside its bytes', async () => {
  const told: unknown[] = [];
  const channel: Channel = {
    request: async (_action, payload, options) => {
      told.push(options);
      return payload;
    },
  };
  const shard = { indexUuid: 'u', shard: 3 };
  await sendMessage(channel, { ...PAIR, shardOf: () => shard }, { n: 1 }, { parentTask: 'n:1' });
  await sendMessage(channel, PAIR, { n: 1 }, { parentTask: 'n:1' });
  const all = { signal: undefined, timeoutMs: undefined, parentTask: 'n:1', shard };
  assert.deepEqual(told, [all, { parentTask: 'n:1' }]);
});
