import assert from 'node:assert/strict';
import net from 'node:net';
import { test } from 'node:test';
import type { Log } from '@shoal/doors';
import {
  createTransport,
  type HelloFacts,
  type TlsMaterial,
  type Transport,
  type TransportTls,
} from '@shoal/transport';
import { issueCertificate, makeAuthority } from '../certificates/make-certificate.js';
import { systemClock } from '../doors/system-clock.js';

/** Clock whose timers keep the process alive: nothing else does while a test waits. */
const clock = {
  ...systemClock,
  after(delayMs: number, callback: () => void) {
    const timer = setTimeout(callback, delayMs);
    return { cancel: () => clearTimeout(timer) };
  },
};

const nowMs = Date.now();
const authority = (name: string) => makeAuthority({ name, hosts: [], days: 2, nowMs });
const ours = authority('our authority');
const theirs = authority('another authority');

function materialOf(name: string, issuer = ours, trusted = [ours], hosts = ['127.0.0.1']): TlsMaterial {
  const { key, certificate } = issueCertificate(issuer, { name, hosts, days: 2, nowMs }, 'link');
  return { key, certificate, authorities: trusted.map((one) => one.certificate) };
}

const secure = (material: () => TlsMaterial, more: Partial<TransportTls> = {}): TransportTls => ({
  material,
  clientAuthentication: 'required',
  verificationMode: 'full',
  minVersion: 'TLSv1.2',
  maxVersion: 'TLSv1.3',
  ciphers: null,
  ...more,
});

interface TestNode {
  readonly transport: Transport;
  readonly lines: string[];
}

function facts(name: string): HelloFacts {
  return {
    clusterName: 'c',
    clusterUuid: null,
    nodeId: name,
    ephemeralId: name,
    name,
    roles: [],
    version: '8.12.0',
    protocolMin: 1,
    protocolMax: 1,
    transportAddress: '127.0.0.1:1',
    dataAddress: '127.0.0.1:1',
    httpAddress: null,
    attributes: new Map(),
  };
}

async function open(name: string, tls: TransportTls | null, accepts?: (address: string) => boolean): Promise<TestNode> {
  const lines: string[] = [];
  const log: Log = {
    write: (level, message, fields = {}) => void lines.push(`${level} ${message} ${String(fields['event.reason'])}`),
  };
  const transport = await createTransport({
    clock,
    log,
    tls,
    local: () => facts(name),
    bind: { host: '127.0.0.1', port: 0 },
    handler: async (_from, _action, payload) => payload,
    ...(accepts ? { accepts } : {}),
  });
  return { transport, lines };
}

/** Returns the reason why `from` cannot link to `to`; empty if it can. */
async function reason(from: TestNode, to: TestNode): Promise<string> {
  try {
    const link = await from.transport.connect(to.transport.boundAddress, { class: 'control', timeoutMs: 30_000 });
    assert.deepEqual(await link.request('echo', new Uint8Array([1, 2])), new Uint8Array([1, 2]));
    link.close();
    return '';
  } catch (error) {
    return (error as { causedBy?: Error }).causedBy?.message ?? (error as Error).message;
  }
}

const until = async (condition: () => boolean): Promise<void> => {
  for (let i = 0; i < 1_000 && !condition(); i++) await new Promise((resolve) => setTimeout(resolve, 2));
};

async function withNodes(
  nodes: Record<string, TransportTls | null>,
  body: (nodes: Record<string, TestNode>) => Promise<void>,
): Promise<void> {
  const opened: Record<string, TestNode> = {};
  for (const [name, tls] of Object.entries(nodes)) opened[name] = await open(name, tls);
  try {
    await body(opened);
  } finally {
    await Promise.all(Object.values(opened).map(({ transport }) => transport.close()));
  }
}

test('nodes with certificates of one authority are linked', async () => {
  const [a, b] = [materialOf('a'), materialOf('b')];
  await withNodes({ a: secure(() => a), b: secure(() => b) }, async ({ a: first, b: second }) => {
    assert.equal(await reason(first!, second!), '');
    assert.equal(await reason(second!, first!), '');
  });
});

test('a node of another authority is refused, and both sides say why', async () => {
  const [a, b] = [materialOf('a'), materialOf('intruder', theirs, [ours, theirs])];
  await withNodes({ a: secure(() => a), b: secure(() => b) }, async ({ a: ourNode, b: intruder }) => {
    assert.match(
      await reason(intruder!, ourNode!),
      /TLS handshake failed: the other side closed after it, because it does not trust the certificate of this node/,
    );
    await until(() => ourNode!.lines.length > 0);
    const said = ourNode!.lines.join();
    assert.match(said, /warn a connection from another node was refused at the TLS handshake/);
    assert.match(said, /the client provided a certificate with subject name \[CN=intruder\].*not trusted/);
    assert.match(
      await reason(ourNode!, intruder!),
      /TLS handshake failed: .*(unable to verify|self.signed|UNABLE_TO_VERIFY)/i,
    );
    await until(() => intruder!.lines.some((line) => line.includes('refused at the TLS')));
    assert.match(intruder!.lines.join(), /refused at the TLS handshake/);
  });
});

test(
  'a node without a certificate for the address is refused by the ' + 'one that dials, unless only the signer counts',
  async () => {
    const [a, b] = [materialOf('a'), materialOf('b', ours, [ours], ['10.9.9.9'])];
    await withNodes(
      { a: secure(() => a), b: secure(() => b), c: secure(() => a, { verificationMode: 'certificate' }) },
      async ({ a: strict, b: elsewhere, c: lax }) => {
        assert.match(await reason(strict!, elsewhere!), /TLS handshake failed: .*127\.0\.0\.1/);
        assert.equal(await reason(lax!, elsewhere!), '');
      },
    );
  },
);

test('plain links and encrypted ones do not meet, and both sides say so', async () => {
  const a = materialOf('a');
  await withNodes({ a: secure(() => a), plain: null }, async ({ a: encrypted, plain }) => {
    assert.notEqual(await reason(plain!, encrypted!), '');
    await until(() => encrypted!.lines.length > 0);
    assert.match(encrypted!.lines.join(), /plaintext traffic was received on an encrypted channel/);
    assert.match(await reason(encrypted!, plain!), /TLS handshake failed/);
  });
});

test('a client that shows no certificate is refused by name', async () => {
  const a = materialOf('a');
  await withNodes({ a: secure(() => a) }, async ({ a: node }) => {
    const { connect } = await import('node:tls');
    const [host, port] = node!.transport.boundAddress.split(':');
    const socket = connect({ host: host!, port: Number(port), rejectUnauthorized: false, ALPNProtocols: ['h2'] });
    socket.on('error', () => undefined);
    await new Promise((resolve) => socket.once('close', resolve));
    assert.match(node!.lines.join(), /the client did not provide a certificate/);
  });
});

test('new material is used from the next handshake on, on both sides', async () => {
  let [a, b] = [materialOf('a'), materialOf('b')];
  await withNodes({ a: secure(() => a), b: secure(() => b) }, async ({ a: first, b: second }) => {
    assert.equal(await reason(first!, second!), '');
    a = materialOf('a', theirs, [theirs]);
    assert.match(await reason(first!, second!), /TLS handshake failed/);
    b = materialOf('b', theirs, [theirs]);
    assert.equal(await reason(first!, second!), '');
    assert.equal(await reason(second!, first!), '');
  });
});

test('addresses that are not accepted are closed without a word', async () => {
  const closed = await open('a', null, () => false);
  const socket = net.connect(Number(closed.transport.boundAddress.split(':')[1]), '127.0.0.1');
  socket.on('error', () => undefined);
  await new Promise((resolve) => socket.once('close', resolve));
  await closed.transport.close();
});

test('a certificate for HTTP opens no link, whoever dials', async () => {
  const a = materialOf('a');
  const { key, certificate } = issueCertificate(ours, { name: 'http', hosts: ['127.0.0.1'], days: 2, nowMs }, 'http');
  const http = { key, certificate, authorities: [ours.certificate] };
  await withNodes({ a: secure(() => a), http: secure(() => http) }, async ({ a: node, http: other }) => {
    assert.match(await reason(other!, node!), /TLS handshake failed/);
    await until(() => node!.lines.length > 0);
    assert.match(node!.lines.join(), /warn .*subject name \[CN=http\].*not trusted here: .*purpose/i);
    assert.match(
      await reason(node!, other!),
      /the certificate of \[http\] is for servers only, not for links between nodes/,
    );
  });
});
