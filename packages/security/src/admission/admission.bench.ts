// Measures the time in nanoseconds to admit a request whose credentials are in the cache. Run: node
// packages/security/dist/admission/admission.bench.js
import type { ClusterService } from '@shoal/cluster';
import { emptyState } from '@shoal/state';
import { fakeClock, seededRandom, silentLog } from '@shoal/doors';
import { createSecurity } from '../create-security.js';
import { memoryDocuments } from '../memory-documents.js';
import { parseRealms } from '../realms/realm-settings.js';

const ROUNDS = 7;
const CALLS = 200_000;

const state = emptyState();
const security = await createSecurity({
  cluster: { state: () => state } as unknown as ClusterService,
  documents: memoryDocuments(),
  clock: fakeClock(),
  random: seededRandom(1),
  log: silentLog,
  settings: {
    anonymous: null,
    reservedRealmEnabled: true,
    runAsEnabled: true,
    apiKeys: { enabled: true, cacheTtlMs: 300_000, retentionMs: 604_800_000 },
    tokens: { enabled: true, lifetimeMs: 1_200_000 },
    credentialTtlMs: 1_200_000,
    filesReloadMs: 5_000,
    realms: parseRealms(new Map()),
    bootstrapPassword: 'changeme',
  },
  readConfigFile: () => null,
  keySetAt: () => () => Promise.reject(new Error('no network')),
  forgetEverywhere: async () => undefined,
});
const arrival = {
  headers: { authorization: `Basic ${Buffer.from('elastic:changeme').toString('base64')}` },
  method: 'GET',
  uri: '/books/_search',
  remoteAddress: '127.0.0.1',
  certificateSubject: null,
};
await security.admit(arrival);

const nanos: number[] = [];
for (let round = 0; round < ROUNDS; round++) {
  const start = process.hrtime.bigint();
  for (let i = 0; i < CALLS; i++) void security.admit(arrival);
  nanos.push(Number(process.hrtime.bigint() - start) / CALLS);
}
nanos.sort((a, b) => a - b);
process.stdout.write(
  `admit, known credentials: ${(nanos[Math.floor(ROUNDS / 2)]! / 1000).toFixed(2)} us ` +
    `(${(nanos[0]! / 1000).toFixed(2)} to ${(nanos.at(-1)! / 1000).toFixed(2)})\n`,
);
