import type { ConsensusEffect, PersistRecord } from '../effect.js';
import type { ConsensusEvent, Proposal } from '../event.js';
import { createConsensus } from '../consensus-state.js';
import type { ConsensusMessage } from '../message.js';
import { step } from '../step.js';
import { appendRecord, type SimulatedNode, type World } from './cluster.js';
import {
  seeAccept,
  seeApply,
  seeCommit,
  seeDurableAccept,
  seeDurableTerm,
  seeElected,
  seePublish,
  seeReported,
  seeVote,
} from './ghost-history.js';

/** Passes an event to a node's consensus state machine and performs the effects. */
export function feed(w: World, n: SimulatedNode, event: ConsensusEvent): void {
  const { effects } = step(n.consensus, event);
  w.events++;
  hashTrace(w, n.index, event, effects.length);
  for (let i = 0; i < effects.length; i++) {
    if (w.faults.crashInStepChance > 0 && !w.isHealed && w.random.chance(w.faults.crashInStepChance))
      return dieInStep(w, n);
    perform(w, n, effects[i]!);
  }
}

/** Kills the process between two effects; the remaining effects and later events of this process are dropped. */
function dieInStep(w: World, n: SimulatedNode): void {
  n.pausedUntil = 0;
  w.queue.pushFirst(w.now, n.index, n.incarnation, { kind: 'stop' });
}

function hashTrace(w: World, index: number, event: ConsensusEvent, effectCount: number): void {
  const name = event.type === 'message' ? event.message.type : event.type;
  let h = w.traceHash;
  h = Math.imul(h ^ (index + 1), 0x01000193);
  h = Math.imul(h ^ ((w.now * 1000) | 0), 0x01000193);
  h = Math.imul(h ^ (name.charCodeAt(0) * 31 + name.charCodeAt(name.length - 1) + name.length), 0x01000193);
  w.traceHash = Math.imul(h ^ effectCount, 0x01000193);
}

function perform(w: World, n: SimulatedNode, effect: ConsensusEffect): void {
  switch (effect.type) {
    case 'persist':
      return write(w, n, effect.seq, effect.record);
    case 'send':
      if (effect.afterPersist === null || effect.afterPersist <= n.persistedSeq)
        return transmit(w, n, effect.to, effect.message);
      n.gated.push({ to: effect.to, message: effect.message, seq: effect.afterPersist });
      return;
    case 'setTimer':
      return startTimer(w, n, effect.id, effect.baseMs, effect.jitterMs);
    case 'cancelTimer':
      n.timers.delete(effect.id);
      return;
    case 'validate':
      return validate(w, n, effect.publication);
    case 'commit':
      return apply(w, n, effect.term, effect.version);
    case 'mode':
      n.request = null;
      if (effect.mode === 'leader') seeElected(w.ghost, n.id, effect.term, n.consensus.core.accepted.stateUuid);
      return;
    case 'proposeRequested':
      n.request = effect;
      if (isUrgent(effect)) w.queue.push(w.now + w.random.between(0, 3), n.index, n.incarnation, { kind: 'propose' });
      return;
    case 'nodeApplied':
      return seeReported(w.ghost, effect.nodeId, effect.version, w.nodes[w.indexOf.get(effect.nodeId)!]!.appliedEver);
    case 'dial':
      for (let i = 0; i < w.nodes.length; i++) dial(w, n, i);
      return;
    case 'close':
      n.links[w.indexOf.get(effect.nodeId)!] = false;
      return;
    case 'failTasks':
    case 'nodesFailed':
    case 'joinRefused':
    case 'fatal':
  }
}

function isUrgent(r: Extract<ConsensusEffect, { type: 'proposeRequested' }>): boolean {
  return r.elected || r.joins.length > 0 || r.leaves.length > 0 || r.config !== null;
}

function startTimer(w: World, n: SimulatedNode, id: string, baseMs: number, jitterMs: number): void {
  const generation = ++n.timerGeneration;
  n.timers.set(id, generation);
  const delayMs = (baseMs + (jitterMs > 0 ? w.random.between(0, jitterMs) : 0)) * n.drift;
  w.queue.push(w.now + delayMs, n.index, n.incarnation, { kind: 'timer', id, generation });
}

function write(w: World, n: SimulatedNode, seq: number, record: PersistRecord): void {
  if (record.type === 'accept') seeAccept(w.ghost, n.id, record.accepted, n.validated);
  const isSlow = !w.isHealed && w.random.chance(w.faults.slowSyncChance);
  const syncMs = record.type === 'commit' && !record.sync ? 0 : w.random.between(0.2, isSlow ? 400 : 2);
  const last = n.pending[n.pending.length - 1];
  const doneAt = Math.max(last?.doneAt ?? 0, w.now + syncMs);
  n.pending.push({ seq, record, doneAt });
  w.queue.push(doneAt, n.index, n.incarnation, { kind: 'synced' });
}

/** Completes the persists that are due, and sends the messages that waited for them. */
export function finishSync(w: World, n: SimulatedNode): void {
  while (n.pending.length > 0 && n.pending[0]!.doneAt <= w.now) {
    const { seq, record } = n.pending.shift()!;
    n.written = appendRecord(n.written, record);
    if (record.type !== 'commit' || record.sync) settleDisk(w, n, n.written);
    n.persistedSeq = seq;
  }
  const due = n.gated.filter((g) => g.seq <= n.persistedSeq);
  if (due.length > 0) n.gated = n.gated.filter((g) => g.seq > n.persistedSeq);
  for (const g of due) transmit(w, n, g.to, g.message);
  feed(w, n, { type: 'persisted', seq: n.persistedSeq });
}

function settleDisk(w: World, n: SimulatedNode, state: SimulatedNode['disk']): void {
  n.disk = state;
  seeDurableTerm(w.ghost, n.id, state.term);
  seeDurableAccept(w.ghost, n.id, state.accepted);
}

function transmit(w: World, n: SimulatedNode, to: string, m: ConsensusMessage): void {
  watch(w, n, to, m);
  const target = w.indexOf.get(to);
  if (target === undefined) return;
  const event = { type: 'message', from: n.id, message: m } as const;
  if (target === n.index) {
    w.queue.push(w.now, target, n.incarnation, { kind: 'consensus', event });
    return;
  }
  if (w.blocked[n.index]![target] || (!w.isHealed && w.random.chance(w.faults.dropChance))) return;
  const incarnation = w.faults.crossesIncarnations ? -1 : w.nodes[target]!.incarnation;
  w.queue.push(w.now + delayOf(w), target, incarnation, { kind: 'consensus', event });
  if (!w.isHealed && w.random.chance(w.faults.duplicateChance)) {
    w.queue.push(w.now + delayOf(w) * 3, target, incarnation, { kind: 'consensus', event });
  }
}

function delayOf(w: World): number {
  const isSlow = !w.isHealed && w.random.chance(w.faults.slowChance);
  if (!isSlow) return w.random.between(0.1, 1);
  return w.random.chance(0.25) ? w.random.between(100, 5000) : w.random.between(1, 100);
}

function watch(w: World, n: SimulatedNode, to: string, m: ConsensusMessage): void {
  if (m.type === 'join') seeVote(w.ghost, n.id, to, m.term, n.disk.term);
  else if (m.type === 'joinRequest' && m.vote !== null) seeVote(w.ghost, n.id, to, m.vote.term, n.disk.term);
  else if (m.type === 'publish')
    seePublish(w.ghost, n.config.ephemeralId, m, n.consensus.core.accepted, n.consensus.core.joins);
  else if (m.type === 'commit') seeCommit(w.ghost, m.term, m.version);
}

function validate(w: World, n: SimulatedNode, m: Extract<ConsensusMessage, { type: 'publish' }>): void {
  const isOwn = n.id === n.consensus.leaderId;
  const hasBase = m.baseStateUuid === null || m.baseStateUuid === n.consensus.core.accepted.stateUuid;
  const isBad = m.baseStateUuid !== null && !w.isHealed && w.random.chance(w.faults.badDiffChance);
  const result = isOwn || (hasBase && !isBad) ? 'ok' : 'needFull';
  if (result === 'ok') n.validated = m.stateUuid;
  const event = { type: 'validated', term: m.term, version: m.version, result } as const;
  w.queue.push(w.now + w.random.between(0, 2), n.index, n.incarnation, {
    kind: 'validated',
    serial: ++n.validation,
    event,
  });
}

function apply(w: World, n: SimulatedNode, term: number, version: number): void {
  seeApply(w.ghost, n.id, term, version, n.applied);
  n.applied = version;
  const delayMs = w.random.between(0, !w.isHealed && w.random.chance(0.02) ? 2000 : 3);
  w.queue.push(w.now + delayMs, n.index, n.incarnation, {
    kind: 'consensus',
    event: { type: 'applied', term, version },
  });
}

function dial(w: World, n: SimulatedNode, target: number): void {
  if (target === n.index || n.links[target]) return;
  w.queue.push(w.now + w.random.between(0.2, 2), n.index, n.incarnation, { kind: 'connect', peer: target });
}

/** The shell answers a `proposeRequested` with the next state; with `force` it proposes even if nothing has changed. */
export function proposeNext(w: World, n: SimulatedNode, force: boolean): void {
  const { request } = n;
  if (request === null || !(force || isUrgent(request))) return;
  n.request = null;
  const la = n.consensus.core.accepted;
  const gone = new Set(request.leaves.map((leave) => leave.nodeId));
  const nodes = la.nodes.filter((id) => !gone.has(id));
  for (const id of request.joins) if (!nodes.includes(id)) nodes.push(id);
  const isRogue = request.config === null && !w.isHealed && w.random.chance(w.faults.rogueChance);
  const config = isRogue ? randomConfig(w) : (request.config ?? la.acceptedConfig);
  feed(w, n, { type: 'propose', proposal: proposalOf(w, n, nodes, config, la.version + 1) });
  if (!isRogue || n.consensus.publication !== null || n.consensus.mode !== 'leader' || n.request !== null) return;
  n.request = request;
  w.queue.push(w.now + 1, n.index, n.incarnation, { kind: 'propose' });
}

function randomConfig(w: World): string[] {
  const voters = w.nodes.filter((m) => m.config.isVoter).map((m) => m.id);
  return voters.filter(() => w.random.chance(0.6));
}

/** Proposes a state at a wrong time or with wrong content. */
export function proposeRogue(w: World, n: SimulatedNode): void {
  const la = n.consensus.core.accepted;
  const config = w.random.chance(0.5) ? la.acceptedConfig : randomConfig(w);
  const version = la.version + 1 + (w.random.chance(0.2) ? 1 : 0);
  feed(w, n, { type: 'propose', proposal: proposalOf(w, n, la.nodes, config, version) });
}

function proposalOf(
  w: World,
  n: SimulatedNode,
  nodes: readonly string[],
  config: readonly string[],
  version: number,
): Proposal {
  const id = ++w.counter;
  const clusterUuid = n.consensus.core.accepted.clusterUuid ?? `c${id}`;
  return { version, stateUuid: `s${id}`, digest: `d${id}`, nodes, config, exclusions: [...w.exclusions], clusterUuid };
}

/** Starts a new process on the disk of the previous one. */
export function boot(w: World, n: SimulatedNode): void {
  n.isAlive = true;
  n.config = { ...n.config, ephemeralId: `${n.id}#${n.incarnation}` };
  n.consensus = createConsensus(n.config, n.disk);
  n.written = n.disk;
  n.persistedSeq = 0;
  n.applied = 0;
  n.validated = '';
  n.request = null;
  n.pausedUntil = 0;
  feed(w, n, { type: 'start' });
}

/** Kills the process: of the writes that were not synced, a prefix may be on disk. */
export function kill(w: World, n: SimulatedNode): void {
  if (!n.isAlive) return;
  n.isAlive = false;
  n.incarnation++;
  let state = w.random.chance(0.5) ? n.written : n.disk;
  if (state === n.written) {
    for (const { record } of n.pending) {
      if (w.random.chance(0.5)) break;
      state = appendRecord(state, record);
    }
  }
  settleDisk(w, n, state);
  n.pending = [];
  n.gated = [];
  n.timers.clear();
  n.links.fill(false);
}
