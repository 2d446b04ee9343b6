import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { silentLog } from '@shoal/doors';
import { createTransport } from './create-transport.js';
import { realClock } from './test/grpc-world.js';
import { echo, factsOfNode } from './test/world.js';
import type { PeerLink, Transport, TransportHandler } from './types.js';

/** Measures wall time and CPU of both processes for a request, or for a megabyte. Run: `node link.bench.js`. */
const MIB = 1024 * 1024;

const answering: TransportHandler = async (from, action, payload, signal, context) => {
  if (action === 'cpu') return Buffer.from(JSON.stringify(process.cpuUsage()));
  if (action === 'sink') return new Uint8Array(1);
  return action === 'source' ? new Uint8Array(16 * MIB) : echo(from, action, payload, signal, context);
};

const open = (id: string): Promise<Transport> =>
  createTransport({
    clock: realClock,
    log: silentLog,
    local: () => factsOfNode({ id }),
    bind: { host: '127.0.0.1', port: 0 },
    handler: answering,
  });

const microseconds = ({ user, system }: NodeJS.CpuUsage): number => user + system;

async function cpuOf(link: PeerLink): Promise<readonly [number, number]> {
  const near = microseconds(process.cpuUsage());
  return [
    near,
    microseconds(JSON.parse(Buffer.from(await link.request('cpu', new Uint8Array())).toString()) as NodeJS.CpuUsage),
  ];
}

async function measure(
  what: string,
  link: PeerLink,
  concurrency: number,
  count: number,
  megabytes: number,
  work: () => Promise<unknown>,
): Promise<void> {
  const before = await cpuOf(link);
  const startMs = performance.now();
  let started = 0;
  const worker = async (): Promise<void> => {
    while (started++ < count) await work();
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
  const tookMs = performance.now() - startMs;
  const after = await cpuOf(link);
  const units = megabytes === 0 ? count : count * megabytes;
  const [near, far] = [(after[0] - before[0]) / units, (after[1] - before[1]) / units];
  const speed =
    megabytes === 0 ? `${((tookMs * 1000) / count).toFixed(1)} us` : `${((units * 1000) / tookMs).toFixed(0)} MB/s`;
  console.log(
    what.padEnd(14),
    `${concurrency} at a time`.padEnd(16),
    speed.padStart(10),
    `CPU us near ${near.toFixed(1)} far ${far.toFixed(1)}`,
  );
}

async function compare(address: string): Promise<void> {
  const transport = await open('near');
  const link = await transport.connect(address, { class: 'data', timeoutMs: 5_000 });
  const small = new Uint8Array(100);
  await measure('warm', link, 64, 20_000, 0, () => link.request('echo', small));
  for (const concurrency of [1, 16, 256])
    await measure('100 bytes', link, concurrency, concurrency === 1 ? 5_000 : 40_000, 0, () =>
      link.request('echo', small),
    );
  const middle = new Uint8Array(MIB);
  await measure('1 MiB out', link, 8, 400, MIB / 1e6, () => link.request('sink', middle));
  const large = new Uint8Array(16 * MIB);
  await measure('16 MiB out', link, 3, 40, (16 * MIB) / 1e6, () => link.request('sink', large));
  await measure('16 MiB in', link, 3, 40, (16 * MIB) / 1e6, () => link.request('source', small));
  await transport.close();
}

if (process.argv[2] === 'answer') {
  const { boundAddress } = await open('far');
  process.send!(boundAddress);
} else {
  const child: ChildProcess = fork(fileURLToPath(import.meta.url), ['answer']);
  const address = await new Promise<string>((resolve) =>
    child.once('message', (message) => resolve(message as string)),
  );
  await compare(address);
  child.kill();
}
