import assert from 'node:assert/strict';
import { test } from 'node:test';
import { encodeError, errors } from '@shoal/errors';
import {
  answerFromVersion1,
  answerToVersion1,
  decodeLimits,
  encodeLimits,
  errorMessage,
  errorOf,
  shard as messages,
} from '@shoal/protocol';
import type { HelloFacts, PeerEvent, PeerLink, Transport, TransportHandler } from '../types.js';
import { echo, type World } from './world.js';

const MIB = 1024 * 1024;

/** Tests that every implementation of `Transport` must pass. */
export function transportContract(name: string, createWorld: () => World): void {
  const inWorld = (sentence: string, body: (world: World) => Promise<void>): void => {
    test(`${name}: ${sentence}`, { timeout: 30_000 }, async () => {
      const world = createWorld();
      try {
        await body(world);
      } finally {
        await world.close();
      }
    });
  };
  answers(inWorld);
  versions(inWorld);
  olderRequests(inWorld);
  refusals(inWorld);
  handshakes(inWorld);
  probes(inWorld);
  ends(inWorld);
  limits(inWorld);
  fullQueues(inWorld);
}

type InWorld = (sentence: string, body: (world: World) => Promise<void>) => void;

interface Pair {
  readonly a: Transport;
  readonly b: Transport;
  readonly link: PeerLink;
}

async function pair(
  world: World,
  handler: TransportHandler = echo,
  linkClass: PeerLink['linkClass'] = 'data',
): Promise<Pair> {
  const b = await world.open({ id: 'b', handler });
  const a = await world.open({ id: 'a' });
  const link = await world.pass(a.connect(world.addressOf(b), { class: linkClass, timeoutMs: 5_000 }));
  return { a, b, link };
}

/** Creates a handler that never answers and counts how often it was cancelled. */
function stuck(): { handler: TransportHandler; started: number; aborted: number } {
  const seen = {
    started: 0,
    aborted: 0,
    handler: ((_from, _action, _payload, signal) => {
      seen.started++;
      return new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => {
          seen.aborted++;
          reject(signal.reason as Error);
        });
      });
    }) as TransportHandler,
  };
  return seen;
}

function versions(inWorld: InWorld): void {
  inWorld('the head of a request names its shard, unless one of the two speaks version 1', async (world) => {
    const shards: unknown[] = [];
    const handler: TransportHandler = async (_from, _action, payload, _signal, { shard }) => {
      shards.push(shard);
      return payload;
    };
    const versions = [
      [2, 2],
      [1, 2],
      [2, 1],
    ] as const;
    for (const [asking, answering] of versions) {
      const b = await world.open({ id: `b${asking}${answering}`, handler, facts: { protocolMax: answering } });
      const a = await world.open({ id: `a${asking}${answering}`, facts: { protocolMax: asking } });
      const link = await world.pass(a.connect(world.addressOf(b), { class: 'data', timeoutMs: 5_000 }));
      await world.pass(link.request('x', new Uint8Array(1), { shard: { indexUuid: 'u', shard: 3 } }));
      await world.pass(link.request('x', new Uint8Array(1)));
    }
    const [told, ...others] = shards;
    assert.deepEqual(told, { indexUuid: 'u', shard: 3 });
    assert.deepEqual(others, [undefined, undefined, undefined, undefined, undefined]);
  });

  inWorld('errors inside an answer arrive as messages, and to and from a node of version 1 as JSON', async (world) => {
    const { action, decodeAnswer, encodeAnswer } = messages.methods.get;
    const missing = messages.decodeGetResult(new Uint8Array(0));
    const error = errors.indexNotFound('no such index [x]', { meta: { index: 'x' } });
    const ours = encodeAnswer({ items: [missing, { ...missing, error: errorMessage(error) }] });
    const errorJson = Buffer.from(JSON.stringify(encodeError(error)));
    const older = encodeAnswer({ items: [missing, { ...missing, errorJson }] });
    const ask = async (asking: number, answering: number, answer: Uint8Array): Promise<messages.GetResult> => {
      const ids = [`a${asking}${answering}`, `b${asking}${answering}`] as const;
      const b = await world.open({ id: ids[1], handler: async () => answer, facts: { protocolMax: answering } });
      const a = await world.open({ id: ids[0], facts: { protocolMax: asking } });
      const link = await world.pass(a.connect(world.addressOf(b), { class: 'data', timeoutMs: 5_000 }));
      return decodeAnswer(await world.pass(link.request(action, new Uint8Array(0)))).items[1]!;
    };
    assert.deepEqual(errorOf((await ask(2, 2, ours)).error!).meta, { index: 'x' });
    // The other side of each link is this build too: it converts what it sends and receives.
    for (const [asking, answering] of [
      [1, 2],
      [2, 1],
    ] as const) {
      assert.equal(errorOf((await ask(asking, answering, ours)).error!).type, 'index_not_found_exception');
    }
    const rewritten = decodeAnswer(answerToVersion1(action, ours)).items[1]!;
    assert.deepEqual([rewritten.error, Buffer.from(rewritten.errorJson!)], [undefined, errorJson]);
    assert.deepEqual(errorOf(decodeAnswer(answerFromVersion1(action, older)).items[1]!.error!).meta, { index: 'x' });
  });
}

function olderRequests(inWorld: InWorld): void {
  inWorld('limits in a request arrive as a message, whichever versions the nodes speak', async (world) => {
    const { action, decodeRequest, encodeRequest } = messages.methods.call;
    const access = encodeLimits({ queries: [['{"match_all":{}}']], fields: [] });
    const request = encodeRequest({ ...messages.decodeShardCall(new Uint8Array(0)), action: 'explain', access });
    const read: unknown[] = [];
    const handler: TransportHandler = async (_from, _action, payload) => {
      read.push(decodeLimits(decodeRequest(payload).access!));
      return payload;
    };
    for (const [asking, answering] of [
      [2, 2],
      [1, 2],
      [2, 1],
    ] as const) {
      const b = await world.open({ id: `b${asking}${answering}`, handler, facts: { protocolMax: answering } });
      const a = await world.open({ id: `a${asking}${answering}`, facts: { protocolMax: asking } });
      const link = await world.pass(a.connect(world.addressOf(b), { class: 'data', timeoutMs: 5_000 }));
      await world.pass(link.request(action, request));
    }
    const limits = { queries: [['{"match_all":{}}']], fields: [] };
    assert.deepEqual(read, [limits, limits, limits]);
  });

  inWorld('a broken request of version 1 fails alone', async (world) => {
    const { action, encodeRequest } = messages.methods.call;
    const accessJson = Buffer.from('{"queries":');
    const request = encodeRequest({ ...messages.decodeShardCall(new Uint8Array(0)), action: 'explain', accessJson });
    const b = await world.open({ id: 'b', handler: echo, facts: { protocolMax: 1 } });
    const a = await world.open({ id: 'a' });
    const link = await world.pass(a.connect(world.addressOf(b), { class: 'data', timeoutMs: 5_000 }));
    await assert.rejects(world.pass(link.request(action, request)));
    assert.deepEqual([...(await world.pass(link.request('x', new Uint8Array([1]))))], [1]);
  });
}

function answers(inWorld: InWorld): void {
  inWorld('a request is answered by the peer that the hello named', async (world) => {
    const seen: unknown[] = [];
    const { link } = await pair(world, async (from, action, payload, _signal, context) => {
      seen.push([from.nodeId, from.name, action, context.parentTask, context.traceId, context.linkClass]);
      return new Uint8Array([...payload, 9]);
    });
    const answer = await world.pass(link.request('x', new Uint8Array([1, 2]), { parentTask: 'a:7', traceId: 't' }));
    assert.deepEqual([...answer], [1, 2, 9]);
    assert.deepEqual(seen, [['a', 'name-a', 'x', 'a:7', 't', 'data']]);
    assert.equal(link.peer.nodeId, 'b');
  });

  inWorld('an error keeps its type, status, reason and meta', async (world) => {
    const { link } = await pair(world, () =>
      Promise.reject(errors.indexNotFound('no such index [x]', { meta: { index: 'x' } })),
    );
    await assert.rejects(world.pass(link.request('x', new Uint8Array())), {
      type: 'index_not_found_exception',
      status: 404,
      reason: 'no such index [x]',
      meta: { index: 'x' },
    });
  });

  inWorld('a message of many fragments arrives whole in both directions', async (world) => {
    const { link } = await pair(world);
    const payload = new Uint8Array(3 * MIB).map((_, i) => (i * 7 + (i >> 13)) & 255);
    assert.ok(Buffer.from(await world.pass(link.request('x', payload))).equals(payload));
  });

  inWorld('a small message overtakes a large one', async (world) => {
    const order: string[] = [];
    const { link } = await pair(world, async (_from, action) => (order.push(action), new Uint8Array()));
    const large = link.request('large', new Uint8Array(8 * MIB));
    const small = link.request('small', new Uint8Array(10));
    await world.pass(Promise.all([large, small]));
    assert.deepEqual(order, ['small', 'large']);
  });

  inWorld('requests and answers are counted with their bytes', async (world) => {
    const { a, b, link } = await pair(world);
    await world.pass(link.request('x', new Uint8Array(1000)));
    assert.equal(a.stats().txCount, 1);
    assert.equal(b.stats().rxCount, 1);
    assert.ok(a.stats().txBytes > 1000 && b.stats().rxBytes === a.stats().txBytes);
    assert.deepEqual([b.stats().serverOpen, a.stats().totalOutboundConnections], [1, 1]);
  });
}

function refusals(inWorld: InWorld): void {
  const refused = (sentence: string, local: Partial<HelloFacts>, remote: Partial<HelloFacts>, reason: RegExp): void =>
    inWorld(`${sentence} is refused on both sides, and the reason names both`, async (world) => {
      const events: PeerEvent[] = [];
      const b = await world.open({ id: 'b', facts: remote, onPeer: (event) => events.push(event) });
      const a = await world.open({ id: 'a', facts: local });
      await assert.rejects(
        world.pass(a.connect(world.addressOf(b), { class: 'control', timeoutMs: 5_000 })),
        (error: { type: string; causedBy: { reason: string } }) => {
          assert.equal(error.type, 'connect_transport_exception');
          assert.match(error.causedBy.reason, reason);
          assert.match(error.causedBy.reason, /\{name-a\}.*\{name-b\}|\{name-b\}.*\{name-a\}/);
          return true;
        },
      );
      assert.deepEqual(events, []);
    });
  refused(
    'another cluster name',
    { clusterName: 'x' },
    { clusterName: 'y' },
    /remote cluster name \[[xy]\] does not match local cluster name \[[xy]\]/,
  );
  refused(
    'another cluster uuid',
    { clusterUuid: 'u' },
    { clusterUuid: 'v' },
    /remote cluster UUID \[[uv]\] does not match local cluster UUID \[[uv]\]/,
  );
  refused(
    'a version without common protocol',
    { protocolMin: 3, protocolMax: 4 },
    { version: '7.0.0' },
    /remote node version \[.*\] is incompatible with local node version \[.*\]/,
  );
  refused(
    'the own node id in another process',
    {},
    { nodeId: 'a' },
    /with the same id but is a different node instance/,
  );
}

function handshakes(inWorld: InWorld): void {
  inWorld('a node that never joined a cluster is linked with one that did', async (world) => {
    const b = await world.open({
      id: 'b',
      facts: { clusterUuid: 'u', attributes: new Map([['zone', 'z1']]), httpAddress: 'h:9200' },
    });
    const a = await world.open({ id: 'a' });
    const { peer } = await world.pass(a.connect(world.addressOf(b), { class: 'control', timeoutMs: 5_000 }));
    assert.deepEqual(
      [peer.clusterUuid, peer.attributes.get('zone'), peer.httpAddress, peer.roles],
      ['u', 'z1', 'h:9200', ['master', 'data']],
    );
  });

  inWorld('an action that the peer does not know is not sent', async (world) => {
    const b = await world.open({ id: 'b', facts: { actions: new Set(['known']) } });
    const a = await world.open({ id: 'a' });
    const link = await world.pass(a.connect(world.addressOf(b), { class: 'data', timeoutMs: 5_000 }));
    await assert.rejects(link.request('unknown', new Uint8Array()), {
      type: 'action_not_found_transport_exception',
      reason: 'No handler for action [unknown]',
    });
    assert.equal((await world.pass(link.request('known', new Uint8Array(3)))).length, 3);
  });

  inWorld('a node that dials itself learns so', async (world) => {
    const a = await world.open({ id: 'a' });
    await assert.rejects(
      world.pass(a.connect(world.addressOf(a), { class: 'control', timeoutMs: 5_000 })),
      (error: { causedBy: { reason: string } }) => /local node found/.test(error.causedBy.reason),
    );
  });
}

function probes(inWorld: InWorld): void {
  inWorld('a probe says who is there, whatever its cluster, and that nobody is', async (world) => {
    const b = await world.open({ id: 'b', facts: { clusterName: 'other' } });
    const a = await world.open({ id: 'a' });
    const found = await world.pass(a.probe(world.addressOf(b), 2_000));
    assert.equal(typeof found === 'string' ? found : found.ephemeralId, 'b-1');
    const { boundAddress } = b;
    await world.pass(b.close());
    assert.equal(await world.pass(a.probe(boundAddress, 2_000)), 'refused');
  });

  inWorld('silence fails a dial and a probe in time', async (world) => {
    const b = await world.open({ id: 'b' });
    const a = await world.open({ id: 'a' });
    world.silence();
    assert.equal(await world.pass(a.probe(world.addressOf(b), 100)), 'silent');
    await assert.rejects(world.pass(a.connect(world.addressOf(b), { class: 'data', timeoutMs: 100 })), {
      type: 'connect_transport_exception',
      reason: `[][${world.addressOf(b)}] connect_timeout[100ms]`,
    });
  });
}

function ends(inWorld: InWorld): void {
  inWorld('a caller that gives up ends its wait and the handler', async (world) => {
    const seen = stuck();
    const { link } = await pair(world, seen.handler);
    const controller = new AbortController();
    const answer = link.request('slow', new Uint8Array(), { signal: controller.signal });
    await world.until(() => seen.started === 1);
    controller.abort();
    await assert.rejects(answer, { type: 'task_cancelled_exception' });
    await world.until(() => seen.aborted === 1);
    assert.equal(link.pendingCount, 0);
  });

  inWorld('a deadline ends the wait and the handler', async (world) => {
    const seen = stuck();
    const { link } = await pair(world, seen.handler);
    await assert.rejects(world.pass(link.request('slow', new Uint8Array(), { timeoutMs: 50 })), {
      type: 'receive_timeout_transport_exception',
      reason: '[name-b][b:9300][slow] request_id [1] timed out after [50ms]',
    });
    await world.until(() => seen.aborted === 1);
  });

  inWorld('a lost link fails each pending request once and the handlers', async (world) => {
    const seen = stuck();
    const { link } = await pair(world, seen.handler);
    const failures: string[] = [];
    const hows: string[] = [];
    link.onClose((how) => hows.push(how.kind));
    const all = [1, 2, 3].map((i) =>
      link
        .request(`slow${i}`, new Uint8Array())
        .catch((error: { type: string; reason: string }) => failures.push(`${error.type} ${error.reason}`)),
    );
    await world.until(() => seen.started === 3);
    world.sever();
    await world.pass(Promise.all(all));
    assert.deepEqual(
      failures,
      [1, 2, 3].map((i) => `node_disconnected_exception [name-b][b:9300][slow${i}] disconnected`),
    );
    await assert.rejects(link.request('late', new Uint8Array()), {
      type: 'node_not_connected_exception',
      reason: '[name-b][b:9300] Node not connected',
    });
    await world.until(() => seen.aborted === 3 && hows.length === 1);
    assert.deepEqual(hows, ['lost']);
  });

  inWorld('closing a transport closes its links on both sides', async (world) => {
    const events: string[] = [];
    const b = await world.open({ id: 'b' });
    const a = await world.open({
      id: 'a',
      onPeer: (event) => events.push(`${event.type} ${event.peer.nodeId} ${event.inbound} ${event.how?.kind}`),
    });
    const link = await world.pass(a.connect(world.addressOf(b), { class: 'control', timeoutMs: 5_000 }));
    await world.pass(b.close());
    await world.until(() => link.isClosed);
    assert.deepEqual(events, ['opened b false undefined', 'closed b false closed']);
  });
}

function limits(inWorld: InWorld): void {
  inWorld('a message that is too large fails alone', async (world) => {
    const { link } = await pair(
      world,
      async (_from, action, payload) => (action === 'grow' ? new Uint8Array(5 * MIB) : payload),
      'recovery',
    );
    await assert.rejects(world.pass(link.request('x', new Uint8Array(5 * MIB))), {
      type: 'illegal_argument_exception',
    });
    await assert.rejects(world.pass(link.request('grow', new Uint8Array(1))), { type: 'illegal_argument_exception' });
    assert.equal((await world.pass(link.request('x', new Uint8Array(4 * MIB)))).length, 4 * MIB);
  });

  inWorld('credit comes back: much more than the window passes', async (world) => {
    const { link } = await pair(world, async () => new Uint8Array(300_000), 'recovery');
    for (let i = 0; i < 2; i++)
      await world.pass(Promise.all(Array.from({ length: 20 }, () => link.request('x', new Uint8Array(500_000)))));
    assert.equal(link.pendingCount, 0);
  });
}

function fullQueues(inWorld: InWorld): void {
  inWorld(
    'slow handlers hold at most the window and the messages in between; the queue fills, then requests are ' +
      'rejected at once',
    async (world) => {
      const seen = stuck();
      let heldBytes = 0;
      const hold: TransportHandler = (from, action, payload, signal, context) => {
        heldBytes += payload.length;
        return seen.handler(from, action, payload, signal, context);
      };
      const { link } = await pair(world, hold, 'recovery');
      const controller = new AbortController();
      let rejected = 0;
      const all = Array.from({ length: 100 }, () =>
        link
          .request('slow', new Uint8Array(MIB), { signal: controller.signal })
          .catch((error: { type: string; status: number }) => {
            if (error.type === 'es_rejected_execution_exception' && error.status === 429) rejected++;
          }),
      );
      await world.until(() => heldBytes >= 7 * MIB);
      assert.ok(link.pendingBytes <= 64 * MIB, `${link.pendingBytes} bytes wait`);
      assert.ok(heldBytes <= (8 + 4) * MIB, `${heldBytes} bytes are held`);
      assert.ok(rejected >= 100 - 64 - 9 && rejected > 0, `${rejected} were rejected`);
      controller.abort();
      await world.pass(Promise.all(all));
      await world.until(() => seen.aborted === seen.started);
      assert.equal(link.pendingBytes, 0);
    },
  );

  inWorld('answers that nobody takes fill the queue of the answering side, then they are failures', async (world) => {
    const seen: string[] = [];
    const ready: (() => void)[] = [];
    const answer: TransportHandler = async () => {
      await new Promise<void>((resolve) => ready.push(resolve));
      return new Uint8Array(3 * MIB);
    };
    const { link } = await pair(world, answer, 'recovery');
    const all = Array.from({ length: 32 }, () =>
      link.request('x', new Uint8Array(1)).then(
        () => seen.push('answer'),
        (error: { type: string }) => seen.push(error.type),
      ),
    );
    await world.until(() => ready.length === 32);
    for (const go of ready) go();
    await world.pass(Promise.all(all));
    assert.deepEqual([...new Set(seen)].toSorted(), ['answer', 'es_rejected_execution_exception']);
    const answered = seen.filter((outcome) => outcome === 'answer').length;
    assert.ok(answered >= 21 && answered < 32, `${answered} were answered`);
  });
}
