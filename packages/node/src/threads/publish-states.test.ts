import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Channel } from '@shoal/doors';
import { errors } from '@shoal/errors';
import { master } from '@shoal/protocol';
import { type ClusterState, emptyState } from '@shoal/state';
import { createStatePublisher } from './publish-states.js';

const state = (version: number): ClusterState => ({ ...emptyState(), version });

/** A thread that has the version of the last publication it could apply; it may have ended. */
function thread() {
  const own = { version: 0, got: [] as string[], failure: null as Error | null };
  const channel: Channel = {
    async request(_action, payload) {
      if (own.failure !== null) throw own.failure;
      const { version, baseVersion } = master.decodePublication(payload);
      own.got.push(`${baseVersion}-${version}`);
      const needFull = baseVersion !== 0 && baseVersion !== own.version;
      if (!needFull) own.version = version;
      return master.encodePublicationAnswer({ version: own.version, needFull });
    },
  };
  return { own, channel };
}

test('a thread that has ended holds up no state, and the one in its place gets the newest one whole', async () => {
  const [steady, other] = [thread(), thread()];
  const publisher = createStatePublisher([steady.channel, other.channel]);
  await publisher.renew(1);
  await publisher.apply(state(1), emptyState());
  other.own.failure = errors.noShardAvailable('the thread has ended');
  await publisher.apply(state(2), state(1));
  Object.assign(other.own, { version: 0, failure: null });
  await publisher.renew(1);
  await publisher.apply(state(3), state(2));
  assert.deepEqual(
    [steady.own.got, other.own.got],
    [
      ['0-1', '1-2', '2-3'],
      ['0-1', '0-2', '2-3'],
    ],
  );
});

test('a state that comes before the newest one is given again is asked for whole', async () => {
  const { own, channel } = thread();
  const publisher = createStatePublisher([channel]);
  await publisher.apply(state(1), emptyState());
  own.version = 0;
  await publisher.apply(state(2), state(1));
  assert.deepEqual(own.got, ['0-1', '1-2', '0-2']);
});

test('a thread that cannot apply a state is not passed over', async () => {
  const { own, channel } = thread();
  own.failure = errors.illegalState('a broken state');
  await assert.rejects(createStatePublisher([channel]).apply(state(1), emptyState()), /a broken state/);
});
