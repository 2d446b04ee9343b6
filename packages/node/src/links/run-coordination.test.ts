import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { NodeInfo } from '@shoal/state';
import { fakeClock, memoryFiles, seededRandom, silentLog } from '@shoal/doors';
import { DEFAULT_CONSENSUS_SETTINGS } from '@shoal/consensus';
import { type RequestContext, simulatedNetwork, type TransportHandler } from '@shoal/transport';
import { helloOf } from './hello.js';
import { runCoordination } from './run-coordination.js';

const localNode: NodeInfo = {
  id: 'n1',
  ephemeralId: 'e1',
  name: 'n1',
  host: '127.0.0.1',
  ip: '127.0.0.1',
  transportAddress: '',
  dataAddress: '',
  httpAddress: null,
  roles: ['master', 'data'],
  attributes: {},
  version: '8.12.0',
};
const context: RequestContext = { deadlineMs: null, parentTask: null, traceId: null, linkClass: 'control' };

/** Opens control links; `ask` sends a request over a peer's link, `reached` lists what the node's own handler got. */
async function controlLinks(): Promise<{ ask: (action: string) => Promise<Uint8Array>; reached: string[] }> {
  const reached: string[] = [];
  const clock = fakeClock();
  const network = simulatedNetwork({ clock, random: seededRandom(1) });
  let links: TransportHandler | null = null;
  await runCoordination({
    data: {
      localNode,
      clusterName: 'c',
      dataPath: '/data',
      nodeSettings: {},
      initialMasterNodes: [],
      consensusSettings: DEFAULT_CONSENSUS_SETTINGS,
      bind: { host: '127.0.0.1', port: '9300' },
      publishHost: '127.0.0.1',
    },
    clock,
    random: seededRandom(2),
    log: silentLog,
    files: memoryFiles(),
    createTransport(options) {
      links = options.handler;
      return network.transport(options);
    },
    ready: async () => undefined,
    seeds: async () => [],
    follower: { apply: async () => undefined, leaderChanged: () => undefined },
    health: () => ({ diskOk: true, dataStallMs: 0 }),
    async handler(action) {
      reached.push(action);
      return new Uint8Array(0);
    },
    onFatal: assert.fail,
  });
  const from = helloOf({ ...localNode, id: 'n2' }, 'c', null);
  return { ask: (action) => links!(from, action, new Uint8Array(0), new AbortController().signal, context), reached };
}

test('a peer asks over control links for stores and the disk, and cannot speak as a thread of the node', async () => {
  const { ask, reached } = await controlLinks();
  for (const action of ['store/list', 'node/disk']) await ask(action);
  for (const action of [
    'state/publish',
    'control/fatal',
    'control/leader',
    'control/ready',
    'log',
    'thread/close',
    'to/data/n2/shard/get',
    '',
  ]) {
    await assert.rejects(ask(action), { type: 'action_not_found_transport_exception' });
  }
  assert.deepEqual(reached, ['store/list', 'node/disk']);
});
