import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fakeClock, seededRandom } from '@shoal/doors';
import type { ApiError } from '@shoal/errors';
import { AcceptedLink } from './accepted-link.js';
import { decodeBatch, encodeBatch, type Frame, helloFrame, proofFrame, requestFrame } from './frames.js';
import { type Handshake, isProof, proofOf } from './membership.js';
import { grpcWorld } from './test/grpc-world.js';
import { simulatedWorld } from './test/simulated-world.js';
import { echo, factsOfNode, type World } from './test/world.js';
import type { CloseHow, LinkMembership } from './types.js';

const random = seededRandom(11);
const nonce = (): Uint8Array => random.bytes(16);
const secured = (key: string | null, more: Partial<LinkMembership> = {}): LinkMembership => ({
  isSecured: true,
  key: key === null ? null : Buffer.from(key.padEnd(32)),
  admitsEarlier: false,
  nonce,
  ...more,
});
const UNSECURED = secured(null, { isSecured: false });

/** Reasons why a cannot link to b, and why b cannot link to a; empty where a request is answered. */
async function reasons(world: World, a?: LinkMembership, b?: LinkMembership): Promise<[string, string]> {
  const first = await world.open({ id: 'a', ...(a ? { membership: a } : {}) });
  const second = await world.open({ id: 'b', ...(b ? { membership: b } : {}) });
  const tryOut = async (from: typeof first, to: typeof first): Promise<string> => {
    try {
      const link = await world.pass(from.connect(world.addressOf(to), { class: 'data', timeoutMs: 5_000 }));
      assert.equal((await world.pass(link.request('echo', new Uint8Array(3)))).length, 3);
      return '';
    } catch (error) {
      const { causedBy, message } = error as ApiError;
      return causedBy?.reason ?? message;
    }
  };
  return [await tryOut(first, second), await tryOut(second, first)];
}

const CASES: readonly [string, LinkMembership | undefined, LinkMembership | undefined, RegExp][] = [
  ['nodes with the same secret are linked', secured('s'), secured('s'), /^$/],
  ['nodes with security and without secrets are linked, as certificates tell', secured(null), secured(null), /^$/],
  ['nodes without security are linked', UNSECURED, UNSECURED, /^$/],
  ['a node with another secret is refused', secured('s'), secured('t'), /the secret of the cluster differs/],
  ['a node without a secret is refused where one is asked for', secured('s'), secured(null), /secret of the cluster/],
  [
    'a node with security off is refused by one with security',
    secured(null),
    UNSECURED,
    /security \[(on|off)\], local/,
  ],
  ['a node with security off is refused by one with a secret', secured('s'), UNSECURED, /security \[(on|off)\], local/],
  [
    'a node of a build that does not tell is refused, after it took its own end for open',
    secured('s'),
    undefined,
    /\[shoal.transport.admit_unproven\]|^\[name-a\]\[a:9300\] Node not connected$/,
  ],
  [
    'a node of a build that does not tell is linked while an upgrade admits it',
    secured('s', { admitsEarlier: true }),
    undefined,
    /^$/,
  ],
  ['a node of a build that does not tell is linked without security', UNSECURED, undefined, /^$/],
  [
    'a node that tells must prove itself also while an upgrade admits others',
    secured('s', { admitsEarlier: true }),
    secured('t', { admitsEarlier: true }),
    /the secret of the cluster differs/,
  ],
];

for (const [network, createWorld] of [
  ['grpc', grpcWorld],
  ['simulated', simulatedWorld],
] as const)
  for (const [sentence, a, b, expected] of CASES)
    test(`${network}: ${sentence}, whoever dials`, { timeout: 30_000 }, async () => {
      const world = createWorld();
      try {
        for (const reason of await reasons(world, a, b)) assert.match(reason, expected);
      } finally {
        await world.close();
      }
    });

/** A link that node b accepts with a secret, fed with frames by hand. */
function acceptedByHand(membership = secured('s')) {
  const sent: Frame[] = [];
  const seen = { requests: 0, opened: 0, ended: null as CloseHow | null };
  const clock = fakeClock();
  const link = new AcceptedLink(
    {
      write(bytes) {
        sent.push(...decodeBatch(bytes));
        return true;
      },
      end: () => undefined,
      destroy: () => undefined,
    },
    {
      clock,
      membership,
      local: () => ({ ...factsOfNode({ id: 'b' }), security: 'on' as const }),
      handler: async (...request) => {
        seen.requests++;
        return echo(...request);
      },
      counts: { rxCount: 0, rxBytes: 0, txCount: 0, txBytes: 0 },
      opened: () => void seen.opened++,
      closed: (_link, _peer, how) => void (seen.ended = how),
    },
  );
  const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
  return {
    seen,
    sent,
    clock,
    async receive(...frames: Frame[]) {
      link.events.message(encodeBatch(frames));
      clock.advance(1);
      await turn();
    },
  };
}

const stranger = { ...factsOfNode({ id: 'a' }), security: 'on' as const };
const strangersHello = (probe = false): Frame =>
  helloFrame(stranger, { linkClass: 'data', windowBytes: 0, probe, nonce: new Uint8Array(16) });
const request: Frame = requestFrame(
  {
    id: 1,
    action: 'shard/query',
    deadlineMs: 0,
    parentTask: '',
    traceId: '',
    totalBytes: 0,
    indexUuid: '',
    shard: 0,
    version: 2,
  },
  new Uint8Array(0),
);

test('requests before the proof close the link and reach nobody', async () => {
  const link = acceptedByHand();
  await link.receive(strangersHello(), request);
  assert.equal(link.seen.requests, 0);
  assert.equal(link.seen.opened, 0);
  assert.equal(link.seen.ended?.kind, 'protocol');
});

test('a stranger gets no proof by which it could try out secrets, and is dropped when it only waits', async () => {
  const link = acceptedByHand();
  await link.receive(strangersHello());
  assert.deepEqual([link.sent.length, link.sent[0]!.proof], [1, undefined]);
  await link.receive(proofFrame(new Uint8Array(32)));
  assert.equal(link.seen.ended?.kind, 'rejected');
  assert.ok(link.sent.every(({ proof }) => proof === undefined));

  const waiting = acceptedByHand();
  await waiting.receive(strangersHello());
  waiting.clock.advance(60_000);
  assert.equal(waiting.seen.ended?.kind, 'silent');
});

test('a proof is good for one handshake, one role and these two nodes only', () => {
  const key = Buffer.alloc(32, 1);
  const facts = factsOfNode({ id: 'a' });
  const handshake: Handshake = {
    dialer: { facts, nonce: new Uint8Array(16).fill(1) },
    acceptor: { facts: factsOfNode({ id: 'b' }), nonce: new Uint8Array(16).fill(2) },
    linkClass: 'data',
  };
  const mac = proofOf(key, 'dialer', handshake);
  assert.equal(isProof(key, 'dialer', handshake, mac), true);
  const others: Handshake[] = [
    { ...handshake, linkClass: 'control' },
    { ...handshake, acceptor: { ...handshake.acceptor, nonce: new Uint8Array(16) } },
    { ...handshake, dialer: { ...handshake.dialer, nonce: new Uint8Array(16) } },
    { ...handshake, dialer: { ...handshake.dialer, facts: { ...facts, nodeId: 'c' } } },
    { ...handshake, dialer: { ...handshake.dialer, facts: { ...facts, transportAddress: 'c:9300' } } },
    { ...handshake, dialer: handshake.acceptor, acceptor: handshake.dialer },
  ];
  for (const other of others) assert.equal(isProof(key, 'dialer', other, mac), false);
  assert.equal(isProof(key, 'acceptor', handshake, mac), false);
  assert.equal(isProof(Buffer.alloc(32, 2), 'dialer', handshake, mac), false);
  assert.equal(isProof(key, 'dialer', handshake, new Uint8Array(0)), false);
});
