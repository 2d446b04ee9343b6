import assert from 'node:assert/strict';
import path from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import * as loader from '@grpc/proto-loader';
import { fakeClock, seededRandom } from '@shoal/doors';
import { runs } from '@shoal/testing';
import fc from 'fast-check';
import { AcceptedLink } from './accepted-link.js';
import { echo, factsOfNode, keepingLog } from './test/world.js';
import { decodeBatch, encodeBatch, type Frame, fragmentFrame, helloFrame, requestFrame } from './frames.js';
import { Inbox } from './inbox.js';
import { FRAGMENT_BYTES } from './limits.js';
import type { Wire, WireEvents } from './network.js';
import { Outbox } from './outbox.js';
import { openTransport } from './transport.js';
import type { TransportHandler } from './types.js';

const NO_BYTES = new Uint8Array(0);

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

const head = (id: number, totalBytes: number): NonNullable<Frame['request']> => ({
  id,
  action: 'x',
  deadlineMs: 0,
  parentTask: '',
  traceId: '',
  totalBytes,
  indexUuid: '',
  shard: 0,
  version: 0,
});

/** A wire that accepts `takes` messages before each drain. */
function countingWire(takes: number): Wire & { readonly messages: Uint8Array[] } {
  const messages: Uint8Array[] = [];
  return {
    messages,
    write: (message) => messages.push(message) % takes !== 0,
    end: () => undefined,
    destroy: () => undefined,
  };
}

test('messages of any sizes arrive whole, once, small ones in order, with credit and back-pressure', () =>
  fc.assert(
    fc.asyncProperty(
      fc.array(
        fc.oneof(fc.integer({ min: 0, max: 2000 }), fc.integer({ min: FRAGMENT_BYTES - 2, max: FRAGMENT_BYTES * 5 })),
        { maxLength: 12 },
      ),
      fc.integer({ min: 1, max: 5 }),
      fc.integer({ min: FRAGMENT_BYTES, max: FRAGMENT_BYTES * 3 }),
      async (sizes, takes, window) => {
        const wire = countingWire(takes);
        const outbox = new Outbox(wire, fakeClock(), () => undefined);
        outbox.open(window);
        sizes.forEach((size, id) =>
          outbox.send(id, new Uint8Array(size).fill(id + 1), (first) => requestFrame(head(id, size), first)),
        );
        const arrived: number[] = [];
        const inbox = new Inbox();
        let wholeCount = 0;
        const take = (frame: Frame): void => {
          const complete = (id: number) => (payload: Uint8Array) => {
            arrived.push(id);
            if (payload.length === sizes[id] && Buffer.from(payload).equals(Buffer.alloc(payload.length, id + 1)))
              wholeCount++;
          };
          if (frame.request)
            inbox.begin(frame.request.id, frame.request.totalBytes, frame.payload, complete(frame.request.id));
          if (frame.fragment) inbox.add(frame.fragment.id, frame.fragment.index, frame.payload);
          outbox.grant(frame.payload.length);
        };
        for (let i = 0; i < 200 && arrived.length < sizes.length; i++) {
          await turn();
          for (const bytes of wire.messages.splice(0)) decodeBatch(bytes).forEach(take);
          outbox.drained();
        }
        assert.equal(wholeCount, sizes.length);
        assert.equal(outbox.pendingBytes, 0);
        const small = arrived.filter((id) => sizes[id]! <= FRAGMENT_BYTES);
        assert.deepEqual(
          small,
          small.toSorted((a, b) => a - b),
        );
      },
    ),
    { numRuns: runs(20) },
  ));

test('a reader that does not read leaves the queue where it is: nothing is written to a full wire', async () => {
  const wire = countingWire(1);
  const outbox = new Outbox(wire, fakeClock(), () => undefined);
  for (let id = 0; id < 100; id++)
    outbox.send(id, new Uint8Array(200_000), (first) => requestFrame(head(id, 200_000), first));
  await turn();
  assert.equal(wire.messages.length, 1);
  const before = outbox.pendingBytes;
  assert.ok(before >= 98 * 200_000 && before <= 100 * 200_200);
  outbox.drained();
  assert.ok(outbox.pendingBytes < before);
});

test('a large message that is dropped leaves the queue and does not stop the others', async () => {
  const wire = countingWire(1);
  const outbox = new Outbox(wire, fakeClock(), () => undefined);
  const large = outbox.send(1, new Uint8Array(FRAGMENT_BYTES * 8), (first) =>
    requestFrame(head(1, FRAGMENT_BYTES * 8), first),
  );
  await turn();
  assert.equal(large.fragments, 1);
  outbox.drop(large);
  assert.equal(outbox.pendingBytes, 0);
  outbox.send(2, new Uint8Array(3), (first) => requestFrame(head(2, 3), first));
  outbox.drained();
  assert.deepEqual(
    decodeBatch(wire.messages[1]!).map((frame) => frame.request?.id),
    [2],
  );
});

test('frames are what proto/transport.proto says', () => {
  const file = path.resolve(fileURLToPath(import.meta.url), '../../../../proto/transport.proto');
  const { Link } = loader.loadSync(file)['shoal.transport.Transport'] as loader.ServiceDefinition;
  assert.equal(Link!.path, '/shoal.transport.Transport/Link');
  const frames = [
    requestFrame({ ...head(7, 3), parentTask: 'n:1' }, new Uint8Array([1, 2, 3])),
    fragmentFrame(8, 2, new Uint8Array([4])),
    helloFrame(factsOfNode({ id: 'a' }), { linkClass: 'data', windowBytes: 99, probe: true, nonce: NO_BYTES }),
  ];
  const decoded = Link!.requestDeserialize(Buffer.from(encodeBatch(frames))) as { frames: Record<string, unknown>[] };
  assert.deepEqual(decoded.frames[0], {
    request: { id: 7, action: 'x', parentTask: 'n:1', totalBytes: 3 },
    payload: Buffer.from([1, 2, 3]),
  });
  assert.deepEqual(decoded.frames[1], { fragment: { id: 8, index: 2 }, payload: Buffer.from([4]) });
  const again = decodeBatch(Link!.requestSerialize(decoded));
  assert.deepEqual(
    again.map((frame) => ({ ...frame, payload: new Uint8Array(frame.payload) })),
    frames,
  );
});

/** An accepted link, and whether it was closed. */
function acceptedLink(handler: TransportHandler = echo): { events: WireEvents; ends: string[] } {
  const ends: string[] = [];
  const link = new AcceptedLink(countingWire(1_000_000), {
    clock: fakeClock(),
    membership: null,
    local: () => factsOfNode({ id: 'b' }),
    handler,
    counts: { rxCount: 0, rxBytes: 0, txCount: 0, txBytes: 0 },
    opened: () => undefined,
    closed: (_link, _peer, how) => void ends.push(how.kind),
  });
  return { events: link.events, ends };
}

test('broken batches close their links, each once, and nothing else', () => {
  const random = seededRandom(42);
  const hello = encodeBatch([
    helloFrame(factsOfNode({ id: 'a' }), { linkClass: 'data', windowBytes: 0, probe: false, nonce: NO_BYTES }),
  ]);
  const good = encodeBatch([
    requestFrame(head(1, 30), new Uint8Array(30)),
    fragmentFrame(1, 1, new Uint8Array(5)),
    requestFrame(head(2, 1e6), new Uint8Array(100)),
  ]);
  const count = runs(2_000);
  let closed = 0;
  for (let i = 0; i < count; i++) {
    const { events, ends } = acceptedLink();
    if (i % 4 !== 0) events.message(hello);
    const bytes = i % 2 === 0 ? Buffer.from(random.bytes(1 + Math.floor(random.next() * 60))) : Buffer.from(good);
    for (let flips = i % 2; flips > 0 && flips < 4; flips++)
      bytes[Math.floor(random.next() * bytes.length)] = Math.floor(random.next() * 256);
    events.message(bytes);
    events.message(hello);
    assert.ok(ends.length <= 1);
    closed += ends.length;
  }
  // If the invalid batch has not closed the link, a second hello does.
  assert.ok(closed > 0.74 * count, `${closed} were closed`);
});

test('a broken frame closes the link with a log line', async () => {
  const { log, lines } = keepingLog();
  let events: WireEvents | null = null;
  const transport = await openTransport(
    {
      listen: async (_bind, accept) => {
        events = accept(countingWire(9));
        return { address: 'x:1', close: async () => undefined, abort: () => undefined };
      },
      dial: () => countingWire(9),
      close: () => undefined,
    },
    { clock: fakeClock(), log, local: () => factsOfNode({ id: 'b' }), bind: { host: 'x', port: 1 }, handler: echo },
  );
  events!.message(new Uint8Array([10, 200]));
  assert.deepEqual(
    lines.map(({ level, message, fields }) => [level, message, fields['shoal.link.end']]),
    [['warn', 'a link between nodes was closed', 'protocol']],
  );
  assert.equal(transport.stats().serverOpen, 0);
});

test('a peer that sends more than it was granted is cut off', () => {
  const { events, ends } = acceptedLink(() => new Promise(() => undefined));
  events.message(
    encodeBatch([
      helloFrame(factsOfNode({ id: 'a' }), { linkClass: 'recovery', windowBytes: 0, probe: false, nonce: NO_BYTES }),
    ]),
  );
  for (let id = 1; id <= 9; id++)
    events.message(encodeBatch([requestFrame(head(id, 1 << 20), new Uint8Array(1 << 20))]));
  assert.deepEqual(ends, ['protocol']);
});
