import type { RunCommand, ScenarioCommand } from '@shoal/testing';
import { type ConsensusConfig, DEFAULT_CONSENSUS_SETTINGS, type DurableState, EMPTY_DURABLE_STATE } from '../config.js';
import { type Consensus, createConsensus } from '../consensus-state.js';
import type { ConsensusEffect } from '../effect.js';
import type { ConsensusEvent } from '../event.js';
import type { ConsensusMessage, PeerNode } from '../message.js';
import { appendRecord } from '../simulation/cluster.js';
import { step } from '../step.js';

type Send = Extract<ConsensusEffect, { type: 'send' }>;
type Persist = Extract<ConsensusEffect, { type: 'persist' }>;
type Request = Extract<ConsensusEffect, { type: 'proposeRequested' }>;

interface ScriptedNode {
  readonly id: string;
  consensus: Consensus;
  /** Synced content of the state log. */
  disk: DurableState;
  /** Persists that are not synced yet. */
  unsynced: Persist[];
  /** Messages to be sent once a persist is synced. */
  waiting: Send[];
  /** Whether the disk syncs only on the command `sync`. */
  isSlow: boolean;
  isUp: boolean;
  request: Request | null;
}

interface InFlight {
  readonly from: string;
  readonly to: string;
  readonly message: ConsensusMessage;
}

/** If one command causes more messages than this, the scenario is wrong. */
const MESSAGES_MAX = 1000;

/** Fields of messages and effects that a scenario prints, in this order. */
const SHOWN = [
  'term',
  'version',
  'acceptedTerm',
  'acceptedVersion',
  'round',
  'granted',
  'candidateId',
  'leaderId',
  'status',
  'joins',
  'nodes',
  'config',
  'reason',
];

function fieldsOf(value: object): string {
  return SHOWN.flatMap((key) => {
    const field = (value as Readonly<Record<string, unknown>>)[key];
    if (field === undefined || field === null || (Array.isArray(field) && field.length === 0)) return [];
    return [`${key}=${Array.isArray(field) ? field.map((one) => one.nodeId ?? one).join() : String(field)}`];
  }).join(' ');
}

const line = (name: string, value: object): string => `${name} ${fieldsOf(value)}`.trimEnd();

/**
 * Consensus state machines of a few nodes, driven by the commands of a text scenario. Nothing happens by itself:
 * messages wait for `deliver`, timers for `timer`. Commands:
 *
 * - `cluster a b c`: starts linked voters without a leader; all of them are the voting configuration
 * - `timer a election`: fires a timer
 * - `deliver [a] [b]`: delivers messages, and those that they cause, until none is left; only to the named nodes
 * - `propose a [nodes=a,b]`: the leader answers its open request with the next state
 * - `slow a`, `sync a`: the disk of a node syncs only on `sync`, which syncs all writes
 * - `cut a b`, `heal`: messages between two nodes are lost; no longer lost
 * - `crash a`, `start a`: the process dies and loses unsynced writes, its peers lose the link; it starts again
 * - `nodes`: prints all nodes
 */
export function scriptedCluster(): RunCommand {
  const cluster = new ScriptedCluster();
  return (command) => cluster.run(command);
}

class ScriptedCluster {
  readonly #nodes = new Map<string, ScriptedNode>();
  readonly #cut = new Set<string>();
  #flying: InFlight[] = [];
  #log: string[] = [];

  /** Runs a command and returns what the nodes did because of it. */
  run({ name, words }: ScenarioCommand): string {
    this.#log = [];
    this.#command(name, words);
    return this.#log.join('\n');
  }

  #command(name: string, words: readonly string[]): void {
    const [first, second] = words as readonly [string, string];
    if (name === 'cluster') this.#create(words);
    else if (name === 'timer') this.#feed(this.#node(first), { type: 'timer', id: second });
    else if (name === 'deliver') this.#deliver(words);
    else if (name === 'propose') this.#propose(this.#node(first), words.slice(1));
    else if (name === 'slow') this.#node(first).isSlow = true;
    else if (name === 'sync') this.#sync(this.#node(first));
    else if (name === 'cut') this.#cut.add(`${first} ${second}`).add(`${second} ${first}`);
    else if (name === 'heal') this.#cut.clear();
    else if (name === 'crash') this.#crash(first);
    else if (name === 'start') this.#start(this.#node(first));
    else if (name === 'nodes') this.#log.push(...[...this.#nodes.values()].map(renderNode));
    else throw new Error(`no command [${name}]`);
  }

  #node(id: string): ScriptedNode {
    const node = this.#nodes.get(id);
    if (!node) throw new Error(`no node [${id}]`);
    return node;
  }

  #create(ids: readonly string[]): void {
    for (const id of ids) this.#nodes.set(id, newNode(id, ids));
    for (const node of this.#nodes.values()) this.#start(node);
    this.#flying = [];
  }

  #start(node: ScriptedNode): void {
    node.consensus = createConsensus(configOf(node.id), node.disk);
    node.isUp = true;
    this.#feed(node, { type: 'start' });
    for (const other of this.#nodes.values()) {
      if (other === node || !other.isUp || this.#cut.has(`${node.id} ${other.id}`)) continue;
      this.#feed(node, { type: 'peerUp', peer: peerOf(other.id) });
      this.#feed(other, { type: 'peerUp', peer: peerOf(node.id) });
    }
  }

  #crash(id: string): void {
    Object.assign(this.#node(id), { isUp: false, unsynced: [], waiting: [], request: null });
    this.#flying = this.#flying.filter((message) => message.from !== id);
    for (const other of this.#nodes.values())
      if (other.isUp && !this.#cut.has(`${id} ${other.id}`))
        this.#feed(other, { type: 'peerDown', nodeId: id, how: 'refused' });
  }

  #feed(node: ScriptedNode, event: ConsensusEvent): void {
    for (const effect of step(node.consensus, event).effects) this.#perform(node, effect);
    if (!node.isSlow && node.unsynced.length > 0) this.#sync(node);
  }

  #perform(node: ScriptedNode, effect: ConsensusEffect): void {
    if (effect.type === 'persist') this.#write(node, effect);
    else if (effect.type === 'send') this.#send(node, effect);
    else if (effect.type === 'validate') {
      const { term, version } = effect.publication;
      this.#feed(node, { type: 'validated', term, version, result: 'ok' });
    } else if (effect.type === 'commit') {
      this.#log.push(`  ${node.id} applies ${fieldsOf(effect)}`);
      this.#feed(node, { type: 'applied', term: effect.term, version: effect.version });
    } else if (effect.type === 'mode') {
      this.#log.push(`  ${node.id} is ${line(effect.mode, { term: effect.term, leaderId: effect.leaderId })}`);
    } else if (effect.type === 'proposeRequested') {
      node.request = effect;
      const leaves = effect.leaves.map(({ nodeId, reason }) => `${nodeId} (${reason})`).join(', ');
      this.#log.push(`  ${line(`${node.id} wants a state on`, effect)}${leaves === '' ? '' : ` without ${leaves}`}`);
    } else if (effect.type === 'failTasks' || effect.type === 'fatal' || effect.type === 'joinRefused') {
      this.#log.push(`  ${line(`${node.id} ${effect.type}`, effect)}`);
    }
  }

  #write(node: ScriptedNode, persist: Persist): void {
    node.unsynced.push(persist);
    const { record } = persist;
    this.#log.push(`  ${node.id} writes ${line(record.type, record.type === 'accept' ? record.accepted : record)}`);
  }

  #sync(node: ScriptedNode): void {
    for (const { record } of node.unsynced) node.disk = appendRecord(node.disk, record);
    const last = node.unsynced.at(-1)?.seq ?? 0;
    node.unsynced = [];
    const due = node.waiting.filter(({ afterPersist }) => afterPersist! <= last);
    node.waiting = node.waiting.filter(({ afterPersist }) => afterPersist! > last);
    for (const { to, message } of due) this.#flying.push({ from: node.id, to, message });
    if (last > 0) this.#feed(node, { type: 'persisted', seq: last });
  }

  #send(node: ScriptedNode, send: Send): void {
    const { to, message, afterPersist } = send;
    if (afterPersist !== null && node.unsynced.some(({ seq }) => seq <= afterPersist)) node.waiting.push(send);
    else this.#flying.push({ from: node.id, to, message });
  }

  #deliver(only: readonly string[]): void {
    for (let left = MESSAGES_MAX; left > 0; left--) {
      const next = this.#flying.findIndex(({ to }) => only.length === 0 || only.includes(to));
      if (next < 0) return;
      const [{ from, to, message }] = this.#flying.splice(next, 1) as [InFlight];
      const target = this.#nodes.get(to);
      const isLost = this.#cut.has(`${from} ${to}`) || !target?.isUp;
      if (from !== to) this.#log.push(`${from} -> ${to} ${line(message.type, message)}${isLost ? ' (lost)' : ''}`);
      if (!isLost) this.#feed(target!, { type: 'message', from, message });
    }
    throw new Error('messages without end');
  }

  #propose(node: ScriptedNode, words: readonly string[]): void {
    const { request } = node;
    if (!request) throw new Error(`[${node.id}] wants no state`);
    node.request = null;
    const { accepted } = node.consensus.core;
    const gone = request.leaves.map(({ nodeId }) => nodeId);
    const named = words
      .find((word) => word.startsWith('nodes='))
      ?.slice('nodes='.length)
      .split(',');
    const members = [...accepted.nodes.filter((id) => !gone.includes(id)), ...request.joins];
    this.#feed(node, {
      type: 'propose',
      proposal: {
        version: accepted.version + 1,
        stateUuid: `s${request.term}.${accepted.version + 1}`,
        digest: 'd',
        nodes: named ?? [...new Set(members)],
        config: request.config ?? accepted.acceptedConfig,
        exclusions: [],
        clusterUuid: 'u',
      },
    });
  }
}

function renderNode({ id, consensus, isUp }: ScriptedNode): string {
  if (!isUp) return `${id}: down`;
  const { core, mode, leaderId } = consensus;
  const { accepted } = core;
  const configs = [accepted.acceptedConfig, accepted.committedConfig].map((config) => [...config].sort().join());
  const config = configs[0] === configs[1] ? configs[0] : `${configs[1]} to ${configs[0]}`;
  const leader = leaderId === null || leaderId === id ? '' : ` of ${leaderId}`;
  return `${id}: ${mode}${leader} term=${core.term} accepted=${accepted.term}.${accepted.version} config=${config}`;
}

const peerOf = (id: string): PeerNode => ({
  nodeId: id,
  ephemeralId: `${id}#1`,
  nodeName: id,
  address: `${id}:9300`,
  isVoter: true,
  votingOnly: false,
});

const configOf = (id: string): ConsensusConfig => ({
  ...peerOf(id),
  isSingleNode: false,
  initialMasterNodes: [],
  autoBootstrapAfterMs: null,
  settings: DEFAULT_CONSENSUS_SETTINGS,
});

function newNode(id: string, voters: readonly string[]): ScriptedNode {
  const accepted = { ...EMPTY_DURABLE_STATE.accepted, acceptedConfig: voters, committedConfig: voters };
  const disk = { term: 0, accepted };
  const consensus = createConsensus(configOf(id), disk);
  return { id, consensus, disk, unsynced: [], waiting: [], isSlow: false, isUp: false, request: null };
}
