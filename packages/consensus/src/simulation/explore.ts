import { EMPTY_DURABLE_STATE } from '../config.js';
import {
  accept,
  commit,
  type CoordinationState,
  countJoin,
  countPublishOk,
  joinOf,
  mayAccept,
  mayPropose,
  propose,
  restoreCoordination,
  startJoin,
} from '../coordination.js';
import { ALL_GUARDS, type Guards } from '../guards.js';
import type { Join, Publish } from '../message.js';
import { isQuorum, sameConfig } from '../quorum.js';

const IDS = ['a', 'b', 'c'];
const CONFIGS = [['a', 'b', 'c'], ['a'], ['b', 'c'], ['b']];

/** Bounds of the explicit-state search. */
export interface ExplorationLimits {
  readonly terms: number;
  readonly versions: number;
  /**
   * Most votes and accepts of a run that may arrive late, twice, or never; the others are delivered at once or lost.
   */
  readonly late: number;
  readonly states: number;
  /** How many of the four voting configurations may be proposed; 1: no reconfiguration. */
  readonly configs: number;
}

/** Result of the search. */
export interface Exploration {
  readonly states: number;
  /** Whether every state within the limits was visited. */
  readonly isComplete: boolean;
  readonly violation: string | null;
}

type LateMessage =
  | { readonly type: 'join'; readonly from: number; readonly to: number; readonly join: Join }
  | {
      readonly type: 'ok';
      readonly from: number;
      readonly to: number;
      readonly term: number;
      readonly version: number;
    };

interface PublishedState {
  readonly header: Publish;
  readonly parent: string;
  readonly by: number;
  /** Nodes that accepted it at any time, as bits. */
  readonly acceptedBy: number;
  readonly isCommitted: boolean;
}

/**
 * A state of the model: three nodes, all publications, and the late messages. Publications and commits can be delivered
 * at any later time.
 */
interface ModelState {
  readonly nodes: readonly CoordinationState[];
  readonly published: readonly PublishedState[];
  readonly late: readonly LateMessage[];
  readonly violation: string | null;
}

/**
 * Breadth-first search over deliveries, losses, restarts, elections and reconfigurations of three nodes, with the
 * unchanged safety core. Persisting is atomic here (the simulator tests it in parts). I1 to I7 are checked in every
 * state.
 */
export function exploreConsensus(limits: ExplorationLimits, guards: Guards = ALL_GUARDS): Exploration {
  const first = initialState();
  const seen = new Set([keyOf(first)]);
  let level = [first];
  while (level.length > 0) {
    const next: ModelState[] = [];
    for (const state of level) {
      for (const successor of successors(state, limits, guards)) {
        if (successor.violation !== null)
          return { states: seen.size, isComplete: false, violation: successor.violation };
        const key = keyOf(successor);
        if (seen.has(key)) continue;
        seen.add(key);
        if (seen.size >= limits.states) return { states: seen.size, isComplete: false, violation: null };
        next.push(successor);
      }
    }
    level = next;
  }
  return { states: seen.size, isComplete: true, violation: null };
}

function initialState(): ModelState {
  const config = CONFIGS[0]!;
  const accepted = { ...EMPTY_DURABLE_STATE.accepted, acceptedConfig: config, committedConfig: config };
  return {
    nodes: IDS.map((id) => restoreCoordination(id, { term: 0, accepted })),
    published: [],
    late: [],
    violation: null,
  };
}

const encodings = new WeakMap<CoordinationState, string>();

const bitsOf = (ids: readonly string[]): number =>
  (ids.includes('a') ? 1 : 0) + (ids.includes('b') ? 2 : 0) + (ids.includes('c') ? 4 : 0);

function encodeNode(c: CoordinationState): string {
  const known = encodings.get(c);
  if (known !== undefined) return known;
  const la = c.accepted;
  const flags = (c.startedJoin ? 1 : 0) + (c.won ? 2 : 0);
  const configs = [la.acceptedConfig, la.committedConfig, c.joins, c.pubConfig, c.pubVotes].map(bitsOf).join('');
  const text = `${c.term}${la.term}${la.version}${la.stateUuid}${flags}${c.pubVersion}${c.votedFor ?? ''}${configs}`;
  encodings.set(c, text);
  return text;
}

function keyOf(s: ModelState): string {
  let key = '';
  for (const node of s.nodes) key += `${encodeNode(node)};`;
  for (const p of s.published) key += `${p.header.stateUuid}${p.acceptedBy}${p.isCommitted ? 'c' : ''},`;
  const late = s.late.map((m) =>
    m.type === 'join' ? `j${m.from}${m.to}${m.join.term}` : `o${m.from}${m.to}${m.term}${m.version}`,
  );
  return `${key}|${late.sort().join()}`;
}

function replaceNode(s: ModelState, i: number, node: CoordinationState): ModelState {
  return { ...s, nodes: s.nodes.map((n, at) => (at === i ? node : n)) };
}

function* successors(s: ModelState, limits: ExplorationLimits, g: Guards): Generator<ModelState> {
  for (let i = 0; i < 3; i++) {
    yield* elections(s, i, limits, g);
    yield* proposals(s, i, limits, g);
    yield* accepts(s, i, limits, g);
    yield* commits(s, i, g);
    yield restart(s, i);
  }
  for (const m of s.late) yield deliver(s, m, g);
}

/** Node `i` enters a term for a candidate; its vote arrives at once, or late, or is lost. */
function* elections(s: ModelState, i: number, limits: ExplorationLimits, g: Guards): Generator<ModelState> {
  const isFirst = s.nodes.every((n) => n.term === 0);
  for (let candidate = 0; candidate < (isFirst ? 1 : 3); candidate++) {
    for (let term = Math.max(1, s.nodes[i]!.term); term <= limits.terms; term++) {
      const node = { ...s.nodes[i]! };
      const before = { term: node.term, votedFor: node.votedFor };
      if (!startJoin(node, g, IDS[candidate]!, term)) continue;
      const after = replaceNode(s, i, node);
      if (term <= before.term && before.votedFor !== IDS[candidate]) {
        yield { ...after, violation: `I2 ${IDS[i]} votes twice in term ${term}` };
        continue;
      }
      yield* sendLate(after, { type: 'join', from: i, to: candidate, join: joinOf(node) }, limits, g);
    }
  }
}

function* sendLate(s: ModelState, m: LateMessage, limits: ExplorationLimits, g: Guards): Generator<ModelState> {
  yield deliver(s, m, g);
  if (s.late.length < limits.late) yield { ...s, late: [...s.late, m] };
  else yield s;
}

function deliver(s: ModelState, m: LateMessage, g: Guards): ModelState {
  const node = { ...s.nodes[m.to]! };
  const after = replaceNode(s, m.to, node);
  if (m.type === 'ok') {
    const counted = countPublishOk(node, g, IDS[m.from]!, m.term, m.version);
    return counted === 'quorum' ? markCommitted(after, node.term, node.pubVersion, m.to) : after;
  }
  return countJoin(node, g, IDS[m.from]!, m.join) === 'won' ? checkElected(after, node) : after;
}

function* proposals(s: ModelState, i: number, limits: ExplorationLimits, g: Guards): Generator<ModelState> {
  const leader = s.nodes[i]!;
  const last = leader.accepted.version + (g.proposeNextVersion ? 1 : 2);
  for (const config of CONFIGS.slice(0, limits.configs)) {
    for (let version = leader.accepted.version + 1; version <= Math.min(last, limits.versions); version++) {
      if (!mayPropose(leader, g, version, config)) continue;
      const node = { ...leader };
      propose(node, g, version, config);
      yield publish(replaceNode(s, i, node), i, node, version, config);
    }
  }
}

function publish(
  s: ModelState,
  i: number,
  node: CoordinationState,
  version: number,
  config: readonly string[],
): ModelState {
  const la = node.accepted;
  const stateUuid = `<${node.term}.${version}.${bitsOf(config)}>`;
  const header: Publish = {
    type: 'publish',
    term: node.term,
    version,
    stateUuid,
    baseStateUuid: null,
    digest: '',
    nodes: IDS,
    config,
    committedConfig: la.committedConfig,
    exclusions: [],
    clusterUuid: 'c',
  };
  const violation = judgePublish(s, i, node, header);
  return {
    ...s,
    violation,
    published: [...s.published, { header, parent: la.stateUuid, by: i, acceptedBy: 0, isCommitted: false }],
  };
}

function judgePublish(s: ModelState, i: number, node: CoordinationState, m: Publish): string | null {
  const la = node.accepted;
  if (s.published.some((p) => p.header.term === m.term && p.by !== i)) return `I1 two nodes publish in term ${m.term}`;
  if (s.published.some((p) => p.header.term === m.term && p.header.version === m.version))
    return `I3 term ${m.term} version ${m.version} twice`;
  if (m.version !== la.version + 1) return `I5 version ${m.version} follows ${la.version}`;
  if (sameConfig(m.config, la.acceptedConfig)) return null;
  if (!isQuorum(node.joins, m.config)) return 'I7 the new configuration has no quorum of votes';
  return hasOpenReconfiguration(s, la.stateUuid) ? 'I7 a second uncommitted reconfiguration' : null;
}

function hasOpenReconfiguration(s: ModelState, uuid: string): boolean {
  for (let state = find(s, uuid); state !== undefined && !state.isCommitted; state = find(s, state.parent)) {
    const before = find(s, state.parent)?.header.config ?? CONFIGS[0]!;
    if (!sameConfig(state.header.config, before)) return true;
  }
  return false;
}

function find(s: ModelState, uuid: string): PublishedState | undefined {
  return s.published.find((p) => p.header.stateUuid === uuid);
}

function* accepts(s: ModelState, i: number, limits: ExplorationLimits, g: Guards): Generator<ModelState> {
  for (const p of s.published) {
    const node = { ...s.nodes[i]! };
    if (p.header.term > node.term) startJoin(node, g, IDS[p.by]!, p.header.term);
    if (!mayAccept(node, g, p.header)) continue;
    accept(node, g, p.header);
    const published = s.published.map((q) => (q === p ? { ...q, acceptedBy: q.acceptedBy | (1 << i) } : q));
    const after = replaceNode({ ...s, published }, i, node);
    const { term, version } = p.header;
    yield* sendLate(after, { type: 'ok', from: i, to: p.by, term, version }, limits, g);
  }
}

function* commits(s: ModelState, i: number, g: Guards): Generator<ModelState> {
  for (const p of s.published) {
    if (!p.isCommitted) continue;
    const node = { ...s.nodes[i]! };
    const { term, version, stateUuid } = p.header;
    if (commit(node, g, term, version) === 'refused') continue;
    const violation =
      node.accepted.stateUuid === stateUuid ? null : `I8 another state is marked committed as version ${version}`;
    yield { ...replaceNode(s, i, node), violation };
  }
}

function restart(s: ModelState, i: number): ModelState {
  const node = s.nodes[i]!;
  return replaceNode(s, i, restoreCoordination(node.nodeId, { term: node.term, accepted: node.accepted }));
}

function descends(s: ModelState, uuid: string, ancestor: PublishedState): boolean {
  for (let state = find(s, uuid); state !== undefined; state = find(s, state.parent))
    if (state === ancestor) return true;
  return false;
}

function checkElected(s: ModelState, leader: CoordinationState): ModelState {
  const missed = s.published.find(
    (p) => p.isCommitted && p.header.term < leader.term && !descends(s, leader.accepted.stateUuid, p),
  );
  return missed === undefined
    ? s
    : { ...s, violation: `I6 term ${leader.term} is led without ${missed.header.stateUuid}` };
}

function markCommitted(s: ModelState, term: number, version: number, by: number): ModelState {
  const p = s.published.find((q) => q.by === by && q.header.term === term && q.header.version === version);
  if (p === undefined)
    return { ...s, violation: `I4 term ${term} version ${version} is committed but was not published` };
  if (p.isCommitted) return s;
  const votes = IDS.filter((_, i) => (p.acceptedBy & (1 << i)) !== 0);
  if (!isQuorum(votes, p.header.config) || !isQuorum(votes, p.header.committedConfig)) {
    return { ...s, violation: `I4 ${p.header.stateUuid} is committed with ${votes.join()}` };
  }
  const after = { ...s, published: s.published.map((q) => (q === p ? { ...q, isCommitted: true } : q)) };
  return checkChain(after, find(after, p.header.stateUuid)!);
}

function checkChain(s: ModelState, newest: PublishedState): ModelState {
  for (const p of s.published) {
    if (!p.isCommitted || p === newest) continue;
    const isOrdered =
      p.header.version < newest.header.version
        ? descends(s, newest.header.stateUuid, p)
        : descends(s, p.header.stateUuid, newest);
    if (!isOrdered)
      return { ...s, violation: `I5 ${p.header.stateUuid} and ${newest.header.stateUuid} are both committed` };
  }
  for (const node of s.nodes)
    if (node.won && node.term > newest.header.term && !descends(s, node.accepted.stateUuid, newest)) {
      return { ...s, violation: `I6 term ${node.term} is led without ${newest.header.stateUuid}` };
    }
  return s;
}
