import type { SimulatedNode, World } from './cluster.js';
import { feed, kill } from './shell.js';

/** Causes one fault, drawn by the weights of the run. */
export function causeFault(w: World): void {
  const f = w.faults;
  const kinds: [number, (w: World, n: SimulatedNode) => void][] = [
    [f.crashWeight, crash],
    [f.crashWeight / 8, crashAll],
    [f.partitionWeight, partition],
    [f.oneWayWeight, blockOneWay],
    [f.pauseWeight, pause],
    [f.healthWeight, fallIll],
    [f.exclusionWeight, exclude],
    [f.shutdownWeight, shutDown],
    [f.electionWeight, callElection],
    [0.5, resetLink],
  ];
  let draw = w.random.between(
    0,
    kinds.reduce((sum, [weight]) => sum + weight, 0),
  );
  const node = w.nodes[w.random.below(w.nodes.length)]!;
  for (const [weight, cause] of kinds) {
    draw -= weight;
    if (draw < 0) return cause(w, node);
  }
}

function crash(w: World, n: SimulatedNode): void {
  if (!n.isAlive) return;
  kill(w, n);
  closeLinks(w, n);
  const downMs = w.random.chance(0.5) ? w.random.between(1, 50) : w.random.between(50, 3000);
  w.queue.push(w.now + downMs, n.index, -1, { kind: 'restart' });
}

function crashAll(w: World): void {
  for (const n of w.nodes) crash(w, n);
}

/** Closes the links of a dead process. A peer that can reach the machine gets `refused` when it dials again. */
function closeLinks(w: World, n: SimulatedNode): void {
  for (const peer of w.nodes) {
    if (peer === n || !peer.links[n.index]) continue;
    const isReachable = !w.blocked[peer.index]![n.index] && !w.blocked[n.index]![peer.index];
    const delayMs = isReachable ? w.random.between(1, 12) : w.random.between(200, 400);
    const how = isReachable ? 'refused' : 'silent';
    w.queue.push(w.now + delayMs, peer.index, peer.incarnation, { kind: 'linkLost', peer: n.index, how });
  }
}

function partition(w: World, n: SimulatedNode): void {
  const isInside = w.nodes.map((m) => (w.random.chance(0.5) ? m === n : w.random.chance(0.5)));
  const isBridged = w.random.chance(0.2);
  for (const a of w.nodes) {
    for (const b of w.nodes) {
      if (isInside[a.index] === isInside[b.index] || (isBridged && (a.index === 0 || b.index === 0))) continue;
      block(w, a.index, b.index);
    }
  }
  endLater(w);
}

function blockOneWay(w: World, n: SimulatedNode): void {
  const peer = w.random.below(w.nodes.length);
  for (const m of w.nodes)
    if (m !== n && (m.index === peer || w.random.chance(0.3))) w.blocked[n.index]![m.index] = true;
  endLater(w);
}

function block(w: World, from: number, to: number): void {
  w.blocked[from]![to] = true;
  if (w.random.chance(0.7)) return;
  const n = w.nodes[from]!;
  w.queue.push(w.now + w.random.between(100, 400), from, n.incarnation, { kind: 'linkLost', peer: to, how: 'silent' });
}

function endLater(w: World): void {
  w.queue.push(w.now + (w.random.chance(0.7) ? w.random.between(10, 1500) : w.random.between(1000, 14_000)), 0, -1, {
    kind: 'healLinks',
  });
}

function pause(w: World, n: SimulatedNode): void {
  if (!n.isAlive || n.pausedUntil > w.now) return;
  const drawnMs = w.random.chance(0.5) ? w.random.between(100, 2000) : w.random.between(1000, 12_000);
  const pausedMs = Math.min(drawnMs, w.healAt - w.now);
  n.pausedUntil = w.now + pausedMs;
  w.queue.push(n.pausedUntil, n.index, n.incarnation, { kind: 'resume', pausedMs });
}

function fallIll(w: World, n: SimulatedNode): void {
  const diskOk = w.random.chance(0.5);
  const stall = w.random.chance(0.5) ? 11_000 : 0;
  const ill = { type: 'health', diskOk, persistStallMs: stall, dataStallMs: diskOk ? 11_000 : 0 } as const;
  const well = { type: 'health', diskOk: true, persistStallMs: 0, dataStallMs: 0 } as const;
  w.queue.push(w.now, n.index, n.incarnation, { kind: 'consensus', event: ill });
  w.queue.push(w.now + w.random.between(100, 5000), n.index, n.incarnation, { kind: 'consensus', event: well });
}

function exclude(w: World, n: SimulatedNode): void {
  if (w.exclusions.has(n.id)) w.exclusions.delete(n.id);
  else if (w.exclusions.size < w.nodes.length - 1) w.exclusions.add(n.id);
}

function shutDown(w: World, n: SimulatedNode): void {
  if (!n.isAlive || n.pausedUntil > w.now) return;
  feed(w, n, { type: 'shutdown' });
  const { incarnation } = n;
  const stopMs = w.random.between(20, 500);
  w.queue.push(w.now + stopMs, n.index, incarnation, { kind: 'stop' });
}

/** Delivers StartJoin for `n` in the next term to some nodes, perhaps not to `n` itself, which may be dead. */
function callElection(w: World, n: SimulatedNode): void {
  if (!n.config.isVoter || n.config.votingOnly) return;
  const term = n.consensus.core.term + (w.random.chance(0.8) ? 1 : 0);
  const message = { type: 'startJoin', candidateId: n.id, term } as const;
  for (const m of w.nodes) {
    if (!m.config.isVoter || w.random.chance(0.2)) continue;
    const delayMs = w.random.between(0, w.random.chance(0.3) ? 50 : 2);
    w.queue.push(w.now + delayMs, m.index, -1, { kind: 'consensus', event: { type: 'message', from: n.id, message } });
  }
  if (w.random.chance(0.2)) w.queue.push(w.now + w.random.between(1, 30), n.index, n.incarnation, { kind: 'stop' });
}

/** Resets a link between two live processes. */
function resetLink(w: World, n: SimulatedNode): void {
  const peer = w.random.below(w.nodes.length);
  if (peer === n.index || !n.links[peer]) return;
  w.queue.push(w.now, n.index, n.incarnation, { kind: 'linkLost', peer, how: 'same' });
}

/** Ends a process, which is started again later. */
export function stop(w: World, n: SimulatedNode): void {
  crash(w, n);
}

/** Ends all faults: links work, all nodes run, none is ill or excluded. */
export function healAll(w: World): void {
  w.isHealed = true;
  w.exclusions.clear();
  for (const row of w.blocked) row.fill(false);
  for (const n of w.nodes) {
    if (!n.isAlive) w.queue.push(w.now, n.index, -1, { kind: 'restart' });
    const well = { type: 'health', diskOk: true, persistStallMs: 0, dataStallMs: 0 } as const;
    w.queue.push(w.now, n.index, n.incarnation, { kind: 'consensus', event: well });
  }
}
