// Elections, publications and control links, on a thread that shares nothing with the work on data (cluster.md, "Node anatomy").
import path from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import { CoordinationNode, LeaderDuties, type NodeInfo, type StateFollower } from '@shoal/cluster';
import type { Channel } from '@shoal/doors';
import { errors } from '@shoal/errors';
import { master as protocol } from '@shoal/protocol';
import { nodeFiles, openStateLog } from '@shoal/store';
import { createLink, createTransport, type HelloFacts, type Transport } from '@shoal/transport';
import { systemClock } from '../doors/system-clock.js';
import { systemRandom } from '../doors/system-random.js';
import { DiscoveredPeers } from '../links/control-peers.js';
import { helloOf } from '../links/hello.js';
import type { ControlThreadData, SubmitMessage } from './control-thread-data.js';
import { forwardLog } from './forward-log.js';
import { readPulse } from './node-pulse.js';
import { publicationOf } from './publish-states.js';
import { workerPort } from './worker-port.js';

const data = workerData as ControlThreadData;
const NOTHING = new Uint8Array(0);
const json = (value: unknown): Uint8Array => new Uint8Array(Buffer.from(JSON.stringify(value ?? null)));
const parse = (bytes: Uint8Array): unknown => JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8'));

let node: CoordinationNode | null = null;
let transport: Transport | null = null;

const main = createLink(workerPort(parentPort!), (action, payload) => serveMain(action, payload));
const log = forwardLog(main);

async function serveMain(action: string, payload: Uint8Array): Promise<Uint8Array> {
  switch (action) {
    case 'control/submit': {
      const { task, body, options } = parse(payload) as SubmitMessage;
      return json(await node!.submit(task, body, options));
    }
    case 'control/pending':
      return json(await node!.pendingTasks());
    case 'control/close':
      await node?.close();
      await transport?.close();
      return NOTHING;
    case 'control/transport-stats':
      return json(transport!.stats());
    default:
      throw errors.illegalArgument(`unknown action [${action}]`);
  }
}

/** Hands committed states to the main thread, as differences where it has the one before. */
function mainFollower(channel: Channel): StateFollower {
  let published = 0;
  return {
    async apply(state, previous) {
      const base = published !== 0 && published === previous.version ? previous : null;
      const answer = protocol.decodePublicationAnswer(await channel.request('state/publish', publicationOf(state, base)));
      if (answer.needFull) await channel.request('state/publish', publicationOf(state, null));
      published = state.version;
    },
    leaderChanged: (leaderId) => void channel.request('control/leader', json({ leaderId })).catch(() => undefined),
  };
}

function hello(localNode: NodeInfo): HelloFacts {
  return helloOf(localNode, data.clusterName, node?.clusterUuid ?? null);
}

async function start(): Promise<void> {
  const files = nodeFiles();
  const stateLog = await openStateLog(path.join(data.dataPath, 'state'), { files, log });
  let localNode = data.localNode;
  let peers: DiscoveredPeers | null = null;
  transport = await createTransport({
    clock: systemClock,
    log,
    local: () => hello(localNode),
    bind: data.bind,
    onPeer: (event) => peers?.onPeer(event),
    // What is not coordination is the main thread's: stores on disk, how full it is.
    handler: (from, action, payload, signal) => (/^(coordination|master)\//.test(action) ? node!.handle(from.nodeId, action, payload) : main.request(action, payload.slice(), { signal })),
  });
  const port = transport.boundAddress.slice(transport.boundAddress.lastIndexOf(':') + 1);
  localNode = { ...localNode, transportAddress: `${data.publishHost}:${port}` };
  peers = new DiscoveredPeers({ transport, clock: systemClock, log, localNodeId: localNode.id });
  await main.request('control/ready', json({ transportAddress: localNode.transportAddress }));
  const pulse = readPulse(data.pulse, systemClock);
  const links = peers;
  const ask = async (nodeId: string, action: string, body: unknown, timeoutMs: number): Promise<unknown> =>
    parse(await (nodeId === localNode.id ? main.request(action, json(body)) : links.request(nodeId, action, json(body), timeoutMs)));
  node = new CoordinationNode({
    clock: systemClock,
    random: systemRandom,
    log,
    localNode,
    clusterName: data.clusterName,
    nodeSettings: data.nodeSettings,
    stateLog,
    peers,
    seeds: async () => parse(await main.request('control/seeds', NOTHING)) as string[],
    follower: mainFollower(main),
    duties: (master) => new LeaderDuties({ clock: systemClock, log, master, ask, asksForStores: true }),
    health: pulse,
    onFatal: (error) => void main.request('control/fatal', json({ message: error.message })),
    kernel: {
      nodeId: localNode.id,
      ephemeralId: localNode.ephemeralId,
      nodeName: localNode.name,
      address: localNode.transportAddress,
      isVoter: localNode.roles.includes('master'),
      votingOnly: localNode.roles.includes('voting_only'),
      isSingleNode: false,
      initialMasterNodes: data.initialMasterNodes,
      autoBootstrapAfterMs: null,
      settings: data.kernelSettings,
    },
  });
  node.start();
}

start().catch((error: unknown) => void main.request('control/fatal', json({ message: (error as Error).message })));
