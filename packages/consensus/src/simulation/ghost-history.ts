import type { AcceptedState } from '../config.js';
import type { Publish } from '../message.js';
import { isQuorum, sameConfig } from '../quorum.js';

/** A published state, as an outside observer knows it. */
interface GhostState {
  readonly header: Publish;
  readonly parent: string;
  /** Nodes that accepted it durably at any time. */
  readonly durableAt: string[];
  isCommitted: boolean;
}

/**
 * History of a run as an outside observer sees it, checked against the invariants of docs/internals/cluster.md at each
 * step. The first violations are kept in `violations`.
 */
export interface GhostHistory {
  readonly violations: string[];
  readonly states: Map<string, GhostState>;
  readonly byVersion: Map<string, string>;
  readonly publisherOfTerm: Map<number, string>;
  /** Uuids of the committed states, by version. */
  readonly chain: Map<number, string>;
  newestCommitted: GhostState | null;
  /** Uuid of the state that the leader had accepted when it won, by term. */
  readonly wonWith: Map<number, string>;
  /** Candidate by `node/term`. */
  readonly votes: Map<string, string>;
  readonly durableTerm: Map<string, number>;
  readonly clusterOfNode: Map<string, string>;
  clusterUuid: string | null;
}

/** An empty history. */
export function createGhostHistory(): GhostHistory {
  return {
    violations: [],
    states: new Map(),
    byVersion: new Map(),
    publisherOfTerm: new Map(),
    chain: new Map(),
    newestCommitted: null,
    wonWith: new Map(),
    votes: new Map(),
    durableTerm: new Map(),
    clusterOfNode: new Map(),
    clusterUuid: null,
  };
}

const keyOf = (term: number, version: number): string => `${term}/${version}`;

function violate(g: GhostHistory, what: string): void {
  if (g.violations.length < 5) g.violations.push(what);
}

/**
 * A process (node and incarnation) sends a publication; `accepted` and `joins` are its state and votes then. Checks I1,
 * I3, I5, I7.
 */
export function seePublish(
  g: GhostHistory,
  process: string,
  m: Publish,
  accepted: AcceptedState,
  joins: readonly string[],
): void {
  if (g.states.has(m.stateUuid)) return;
  const publisher = g.publisherOfTerm.get(m.term);
  if (publisher === undefined) g.publisherOfTerm.set(m.term, process);
  else if (publisher !== process) violate(g, `I1 ${publisher} and ${process} publish in term ${m.term}`);
  const key = keyOf(m.term, m.version);
  if (g.byVersion.has(key)) violate(g, `I3 two states are published as term ${m.term} version ${m.version}`);
  g.byVersion.set(key, m.stateUuid);
  if (m.version <= accepted.version) violate(g, `I5 version ${m.version} follows ${accepted.version}`);
  if (m.version > accepted.version + 1) violate(g, `I5 version ${m.version} skips after ${accepted.version}`);
  g.states.set(m.stateUuid, { header: m, parent: accepted.stateUuid, durableAt: [], isCommitted: false });
  if (!sameConfig(m.config, accepted.acceptedConfig)) seeReconfiguration(g, m, accepted, joins);
}

function seeReconfiguration(g: GhostHistory, m: Publish, accepted: AcceptedState, joins: readonly string[]): void {
  if (m.config.length === 0) violate(g, `I7 the configuration of version ${m.version} is empty`);
  if (!isQuorum(joins, m.config)) violate(g, `I7 the new configuration of version ${m.version} has no quorum of votes`);
  let state = g.states.get(accepted.stateUuid);
  while (state !== undefined && !state.isCommitted) {
    const parent = g.states.get(state.parent);
    const before = parent?.header.config ?? state.header.committedConfig;
    if (!sameConfig(state.header.config, before)) {
      violate(g, `I7 version ${m.version} changes the configuration while ${state.header.version} is not committed`);
      return;
    }
    state = parent;
  }
}

/** A state was synced on a node. */
export function seeDurableAccept(g: GhostHistory, nodeId: string, accepted: AcceptedState): void {
  const state = g.states.get(accepted.stateUuid);
  if (state !== undefined && !state.durableAt.includes(nodeId)) state.durableAt.push(nodeId);
}

/** A term was synced on a node. Checks I2. */
export function seeDurableTerm(g: GhostHistory, nodeId: string, term: number): void {
  const before = g.durableTerm.get(nodeId) ?? 0;
  if (term < before) violate(g, `I2 the term of ${nodeId} falls from ${before} to ${term}`);
  g.durableTerm.set(nodeId, term);
}

/** A vote was sent by a node whose disk holds `durableTerm`. Checks I2. */
export function seeVote(g: GhostHistory, nodeId: string, candidate: string, term: number, durableTerm: number): void {
  if (durableTerm < term) violate(g, `I2 ${nodeId} votes in term ${term} while term ${durableTerm} is on its disk`);
  const key = `${nodeId}/${term}`;
  const before = g.votes.get(key);
  if (before !== undefined && before !== candidate)
    violate(g, `I2 ${nodeId} votes for ${before} and ${candidate} in term ${term}`);
  g.votes.set(key, candidate);
}

function descendsFrom(g: GhostHistory, uuid: string, ancestor: GhostState): boolean {
  let state = g.states.get(uuid);
  while (state !== undefined && state.header.version >= ancestor.header.version) {
    if (state === ancestor) return true;
    state = g.states.get(state.parent);
  }
  return false;
}

/** A node won the election of a term, having accepted `stateUuid`. Checks I6. */
export function seeElected(g: GhostHistory, nodeId: string, term: number, stateUuid: string): void {
  g.wonWith.set(term, stateUuid);
  const newest = g.newestCommitted;
  if (newest === null || newest.header.term >= term) return;
  if (!descendsFrom(g, stateUuid, newest)) {
    violate(g, `I6 ${nodeId} leads term ${term} without the committed version ${newest.header.version}`);
  }
}

/** A leader sent the commit of (term, version). Checks I4, I5, I6. */
export function seeCommit(g: GhostHistory, term: number, version: number): void {
  const state = g.states.get(g.byVersion.get(keyOf(term, version)) ?? '');
  if (state === undefined) {
    violate(g, `I4 term ${term} version ${version} is committed but was never published`);
    return;
  }
  if (state.isCommitted) return;
  state.isCommitted = true;
  const { header, durableAt } = state;
  const isDurable = isQuorum(durableAt, header.config) && isQuorum(durableAt, header.committedConfig);
  if (!isDurable) violate(g, `I4 version ${version} of term ${term} is committed with ${durableAt.join()} only`);
  extendChain(g, state);
  for (const [wonTerm, uuid] of g.wonWith) {
    if (wonTerm > term && !descendsFrom(g, uuid, state))
      violate(g, `I6 term ${wonTerm} is led without version ${version} of term ${term}`);
  }
}

function extendChain(g: GhostHistory, state: GhostState): void {
  const { version, stateUuid } = state.header;
  const newest = g.newestCommitted;
  const onChain = g.chain.get(version);
  if (onChain !== undefined && onChain !== stateUuid) violate(g, `I5 two committed states have version ${version}`);
  if (newest !== null && version > newest.header.version && !descendsFrom(g, stateUuid, newest)) {
    violate(g, `I5 version ${version} does not descend from the committed version ${newest.header.version}`);
  }
  if (newest !== null && version <= newest.header.version && onChain === undefined) {
    violate(g, `I5 version ${version} is committed beside version ${newest.header.version}`);
  }
  // A commit also commits all ancestors of the state.
  let ancestor: GhostState | undefined = state;
  while (ancestor !== undefined && !g.chain.has(ancestor.header.version)) {
    g.chain.set(ancestor.header.version, ancestor.header.stateUuid);
    ancestor = g.states.get(ancestor.parent);
  }
  if (newest === null || version > newest.header.version) g.newestCommitted = state;
}

/** A node was told to apply (term, version), having applied `appliedBefore`. Checks I8, I10. */
export function seeApply(g: GhostHistory, nodeId: string, term: number, version: number, appliedBefore: number): void {
  const state = g.states.get(g.byVersion.get(keyOf(term, version)) ?? '');
  if (state === undefined || !state.isCommitted) {
    violate(g, `I8 ${nodeId} applies version ${version} of term ${term}, which is not committed`);
    return;
  }
  if (version <= appliedBefore) violate(g, `I8 ${nodeId} applies version ${version} after ${appliedBefore}`);
  const { clusterUuid } = state.header;
  const own = g.clusterOfNode.get(nodeId);
  if (own !== undefined && own !== clusterUuid) violate(g, `I10 the cluster uuid of ${nodeId} changes`);
  g.clusterOfNode.set(nodeId, clusterUuid);
  if (g.clusterUuid !== null && g.clusterUuid !== clusterUuid) violate(g, 'I10 a second cluster is bootstrapped');
  g.clusterUuid = clusterUuid;
}

/** A node accepted a state; `validated` is the uuid that its shell validated last. Checks I9. */
export function seeAccept(g: GhostHistory, nodeId: string, accepted: AcceptedState, validated: string): void {
  if (accepted.version > 0 && accepted.stateUuid !== validated) {
    violate(g, `I9 ${nodeId} accepts version ${accepted.version} unseen`);
  }
}

/** The leader reported that a node applied a version. Checks I11. */
export function seeReported(g: GhostHistory, nodeId: string, version: number, applied: number): void {
  if (applied < version) violate(g, `I11 ${nodeId} is reported at version ${version} but applied ${applied}`);
}
