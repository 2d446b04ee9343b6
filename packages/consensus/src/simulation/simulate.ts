import type { PeerLoss } from '../event.js';
import { createWorld, peerOf, type SimulatedNode, type SimulationOptions, type World } from './cluster.js';
import type { Occurrence } from './event-queue.js';
import { causeFault, healAll, stop } from './faults.js';
import { boot, feed, finishSync, proposeNext, proposeRogue } from './shell.js';

const RECOVERY_MS = 10_000;
const EVENTS_MAX = 200_000;

/** Result of a run. The same seed, options and code give the same trace hash. */
export interface SimulationResult {
  readonly violations: readonly string[];
  /** Number of steps of all consensus state machines. */
  readonly events: number;
  readonly traceHash: string;
}

/**
 * Runs a cluster through elections, publications and faults that are all drawn from `seed`, then ends the faults.
 * Checks the invariants I1 to I11 at each step, and that all nodes follow one leader within 10 s after the faults end.
 */
export function simulateConsensus(seed: number, options: SimulationOptions = {}): SimulationResult {
  const w = createWorld(seed, options);
  for (const n of w.nodes) w.queue.push(w.random.between(0, n.index === 0 ? 1 : 300), n.index, -1, { kind: 'restart' });
  w.queue.push(w.faults.faultEveryMs, 0, -1, { kind: 'fault' });
  w.queue.push(50, 0, -1, { kind: 'client' });
  w.queue.push(500, 0, -1, { kind: 'maintain' });
  w.queue.push(w.healAt, 0, -1, { kind: 'heal' });
  while (w.ghost.violations.length === 0 && w.events < EVENTS_MAX) {
    const next = w.queue.pop();
    if (next === undefined || (next.what.kind === 'check' && checkLiveness(w, next.what.stage))) break;
    w.now = next.at;
    occur(w, next);
  }
  if (w.events >= EVENTS_MAX) w.ghost.violations.push(`more than ${EVENTS_MAX} events`);
  return { violations: w.ghost.violations, events: w.events, traceHash: (w.traceHash >>> 0).toString(16) };
}

/** World events happen without a process; other events are for a process that is alive and not paused. */
function occur(w: World, o: Occurrence): void {
  const { what } = o;
  switch (what.kind) {
    case 'fault':
      if (w.isHealed) return;
      causeFault(w);
      w.queue.push(w.now + w.random.between(0, 2 * w.faults.faultEveryMs), 0, -1, what);
      return;
    case 'healLinks':
      for (const row of w.blocked) row.fill(false);
      return;
    case 'maintain':
      redialAll(w);
      w.queue.push(w.now + 500, 0, -1, what);
      return;
    case 'client':
      clientUpdates(w);
      w.queue.push(w.now + w.random.between(10, 400), 0, -1, what);
      return;
    case 'heal':
      healAll(w);
      w.queue.push(w.now + RECOVERY_MS, 0, -1, { kind: 'check', stage: 0 });
      return;
    case 'restart':
      if (!w.nodes[o.node]!.isAlive) boot(w, w.nodes[o.node]!);
      return;
    default:
      occurOnNode(w, o, w.nodes[o.node]!);
  }
}

function occurOnNode(w: World, o: Occurrence, n: SimulatedNode): void {
  const { what } = o;
  if (!n.isAlive || (o.incarnation >= 0 && o.incarnation !== n.incarnation)) return;
  if (n.pausedUntil > w.now && what.kind !== 'resume') {
    w.queue.push(n.pausedUntil, o.node, o.incarnation, what);
    return;
  }
  switch (what.kind) {
    case 'consensus':
      if (what.event.type === 'applied' && what.event.version > n.appliedEver) n.appliedEver = what.event.version;
      return feed(w, n, what.event);
    case 'validated':
      return what.serial === n.validation ? feed(w, n, what.event) : undefined;
    case 'timer':
      if (n.timers.get(what.id) !== what.generation) return;
      n.timers.delete(what.id);
      return feed(w, n, { type: 'timer', id: what.id });
    case 'synced':
      return finishSync(w, n);
    case 'propose':
      return proposeNext(w, n, false);
    case 'stop':
      return stop(w, n);
    case 'connect':
      return connect(w, n, w.nodes[what.peer]!);
    case 'linkLost':
      return loseLink(w, n, what.peer, what.how);
    case 'resume':
      return feed(w, n, { type: 'paused', ms: what.pausedMs });
  }
}

function clientUpdates(w: World): void {
  for (const n of w.nodes) {
    if (!n.isAlive || n.pausedUntil > w.now) continue;
    if (!w.isHealed && w.random.chance(w.faults.rogueChance)) proposeRogue(w, n);
    else if (n.consensus.mode === 'leader') proposeNext(w, n, true);
  }
}

function canTalk(w: World, a: SimulatedNode, b: SimulatedNode): boolean {
  if (!a.isAlive || !b.isAlive || a.pausedUntil > w.now || b.pausedUntil > w.now) return false;
  return !w.blocked[a.index]![b.index] && !w.blocked[b.index]![a.index];
}

function connect(w: World, a: SimulatedNode, b: SimulatedNode): void {
  if (!canTalk(w, a, b)) return;
  link(w, a, b);
  link(w, b, a);
}

function link(w: World, a: SimulatedNode, b: SimulatedNode): void {
  if (a.links[b.index]) return;
  a.links[b.index] = true;
  feed(w, a, { type: 'peerUp', peer: peerOf(b) });
}

function loseLink(w: World, n: SimulatedNode, peer: number, how: PeerLoss): void {
  if (how === 'same') return feed(w, n, { type: 'peerDown', nodeId: w.nodes[peer]!.id, how });
  if (!n.links[peer]) return;
  n.links[peer] = false;
  feed(w, n, { type: 'peerDown', nodeId: w.nodes[peer]!.id, how });
}

/** Dials lost peers again, as a shell does while it runs. */
function redialAll(w: World): void {
  for (const a of w.nodes) {
    for (const b of w.nodes) if (a.index < b.index && (!a.links[b.index] || !b.links[a.index])) connect(w, a, b);
  }
}

/**
 * Whether the run is over. After `RECOVERY_MS` all nodes must follow one leader, and an update must be committed within
 * one more second.
 */
function checkLiveness(w: World, stage: number): boolean {
  const leaders = w.nodes.filter((n) => n.consensus.mode === 'leader');
  const leader = leaders[0];
  const isSettled = leaders.length === 1 && w.nodes.every((n) => n.consensus.leaderId === leader?.id);
  if (!isSettled) {
    const seen = w.nodes
      .map((n) => `${n.id}:${n.consensus.mode}:${n.consensus.leaderId}:${n.consensus.core.term}`)
      .join(' ');
    if (isBootstrapped(w))
      w.ghost.violations.push(`liveness: no common master ${RECOVERY_MS} ms after healing: ${seen}`);
    return true;
  }
  if (stage === 1) {
    const newest = w.ghost.newestCommitted?.header.version ?? 0;
    if (newest <= w.counter && w.nodes.some((n) => n.appliedEver < newest - 5))
      w.ghost.violations.push('liveness: a node does not apply');
    return true;
  }
  w.queue.push(w.now + 1000, 0, -1, { kind: 'check', stage: 1 });
  return false;
}

/** Whether any node has a voting configuration; if the initial masters never met, no leader is expected. */
function isBootstrapped(w: World): boolean {
  return w.nodes.some((n) => n.disk.accepted.acceptedConfig.length > 0);
}
