import { type Random, seededRandom } from '@shoal/doors';
import {
  type Decision,
  type Fault,
  FAULTS,
  type NodeParts,
  type Plan,
  type PlannedWrite,
  type Profile,
} from './plan.js';

/** Options for drawing a plan. */
export interface PlanOptions {
  readonly profile?: Profile;
  readonly nodes?: number;
  /** Whether each run gets a random subset of the profile's faults. */
  readonly swarm?: boolean;
  readonly activeMs?: number;
  /** Highest number of replicas. */
  readonly replicasMax?: number;
  /** Share of the returning copies that recover by files; random if absent. */
  readonly filesShare?: number;
  /** Whether nodes run jobs; random if absent. */
  readonly hasJobs?: boolean;
  /** Whether indices age; they do not if absent. */
  readonly hasAgeing?: boolean;
}

/** Share of the runs with shard threads in which some of these end by themselves. */
const THREAD_ENDS_SHARE = 0.5;
/** Share of the runs with jobs. */
const JOBS_SHARE = 0.1;
/** How long the faults of a run with indices that age last: an index goes through its phases in some seconds. */
const AGEING_MS = 10_000;

const NETWORK: readonly Fault[] = ['pause', 'partition', 'oneWay', 'isolate', 'reset', 'delay', 'loss', 'duplicates'];
const PROCESS: readonly Fault[] = ['kill', 'power', 'killAll', 'terminate', 'pause', 'wallJump', 'drift'];
const DEVICE: readonly Fault[] = ['slowDisk', 'stalledDisk', 'fullDisk', 'diskError'];
const DAMAGE: readonly Fault[] = ['bitFlip', 'lostWrite'];
const OPERATOR: readonly Fault[] = ['exclusion', 'move'];

const FAULTS_OF: Readonly<Record<Profile, readonly Fault[]>> = {
  net: [...NETWORK, 'kill'],
  store: [...DEVICE, ...DAMAGE, 'kill', 'power', 'killAll'],
  mix: [...NETWORK, ...PROCESS, ...DEVICE, ...OPERATOR],
  scale: ['kill', 'terminate', 'partition', 'move'],
  lossy: FAULTS,
};

class Draw {
  readonly random: Random;
  constructor(random: Random) {
    this.random = random;
  }

  below(bound: number): number {
    return Math.floor(this.random.next() * bound);
  }

  between(low: number, high: number): number {
    return Math.round(low + this.random.next() * (high - low));
  }

  chance(probability: number): boolean {
    return this.random.next() < probability;
  }

  of<T>(items: readonly T[]): T {
    return items[this.below(items.length)]!;
  }
}

/** Draws a run from its seed: topology, workload, faults. */
export function drawPlan(seed: number, options: PlanOptions = {}): Plan {
  const draw = new Draw(seededRandom(Math.imul(seed, 0x9e3779b1) ^ 0x5eed));
  const profile = options.profile ?? 'mix';
  const nodes = options.nodes ?? draw.of([3, 3, 3, 4, 5]);
  const masters = draw.chance(0.8) ? nodes : Math.min(nodes, 3);
  const activeMs = options.activeMs ?? (draw.chance(0.8) ? draw.between(3_000, 10_000) : draw.between(10_000, 25_000));
  const drawn = {
    seed,
    profile,
    nodes,
    masters,
    indices: draw.between(1, profile === 'scale' ? 12 : 3),
    docs: draw.between(3, 24),
    replicasMax: Math.min(nodes - 1, options.replicasMax ?? draw.of([1, 1, 2])),
    activeMs,
  };
  const hasAgeing = options.hasAgeing === true;
  const shape = hasAgeing ? { ...drawn, indices: 1, activeMs: AGEING_MS } : drawn;
  const faults = options.swarm === true ? FAULTS_OF[profile].filter(() => draw.chance(0.4)) : FAULTS_OF[profile];
  const decisions = [...drawSetup(draw, shape), ...drawWorkload(draw, shape), ...drawFaults(draw, shape, faults)];
  const filesShare = options.filesShare ?? draw.of([0, 0, 0.2, 0.6]);
  const [parts, more] = drawParts(shape);
  const jobs = drawJobs(shape, options.hasJobs ?? (parts.isTight || parts.isSecured ? false : undefined));
  const hasJobs = jobs.length > 0;
  // Jobs write more at once than tight limits let through, and their clients show no credentials.
  const nodeParts = hasJobs ? { ...parts, isTight: false, isSecured: false } : parts;
  const others = more.filter(({ kind }) => !hasJobs || !OF_KEYS.has(kind));
  if (!hasAgeing) {
    const all = [...decisions, ...others, ...jobs].sort((a, b) => a.at - b.at);
    return { ...shape, filesShare, nodeParts, hasJobs, hasAgeing, decisions: all };
  }
  const agedParts = drawAgeingParts(shape);
  const all = [...thinned(decisions), ...others, ...jobs]
    .filter(({ kind }) => !SPOILS_AGEING.has(kind) && (agedParts.isSecured || !OF_KEYS.has(kind)))
    .concat(drawAgeing(shape))
    .sort((a, b) => a.at - b.at);
  return { ...shape, filesShare, nodeParts: agedParts, hasJobs, hasAgeing, decisions: all };
}

/** Draws how nodes are built whose indices age: messages to threads of shards are half of a run's events. */
function drawAgeingParts({ seed }: Shape): NodeParts {
  const draw = new Draw(seededRandom(Math.imul(seed, 0x165667b1) ^ 0x9a275));
  return { shardThreads: draw.chance(0.1) ? 2 : 0, isTight: false, isSecured: draw.chance(0.15) };
}

/** Requests that need nodes with security. */
const OF_KEYS: ReadonlySet<Decision['kind']> = new Set(['createKey', 'invalidateKey']);

/**
 * Faults that leave out what is checked of indices that age: damaged copies may lose all they have, once a policy has
 * taken their replicas, and a clock that was wrong gives an index a birth in the future.
 */
const SPOILS_AGEING: ReadonlySet<Decision['kind']> = new Set(['bitFlip', 'lostWrite', 'wallJump']);

/** Number of requests to other indices in a run with indices that age, which has requests of its own. */
const OTHER_REQUESTS = 80;
const OTHER: ReadonlySet<Decision['kind']> = new Set(['write', 'get', 'search', 'refresh', 'flush']);

/** Leaves out most requests to indices that do not age: half of a run's time would be theirs. */
function thinned(decisions: readonly Decision[]): readonly Decision[] {
  const every = Math.ceil(decisions.filter(({ kind }) => OTHER.has(kind)).length / OTHER_REQUESTS);
  let seen = 0;
  return decisions.filter(({ kind }) => !OTHER.has(kind) || seen++ % every === 0);
}

/** Draws what clients do with indices that age, and faults of master and repository. */
function drawAgeing(shape: Shape): Decision[] {
  const draw = new Draw(seededRandom(Math.imul(shape.seed, 0x27d4eb2f) ^ 0xa6e16));
  const acts = [
    ...(['write', 'write', 'write', 'write', 'write', 'write', 'write', 'write'] as const),
    ...draw.of([
      ['delete', 'clone', 'restore', 'clean', 'execute', 'retain'],
      ['delete', 'clean'],
    ] as const),
  ];
  const untilMs = shape.activeMs;
  const decisions: Decision[] = [];
  const client = (): number => draw.below(shape.nodes);
  const everyMs = draw.of([100, 250]);
  for (let at = 1_500; at < untilMs; at += draw.between(1, 2 * everyMs))
    decisions.push({ at, kind: 'ageing', client: client(), act: draw.of(acts), which: draw.random.next() });
  const snapshotEveryMs = draw.of([400, 1_500]);
  for (let at = 2_000; at < untilMs; at += draw.between(1, 2 * snapshotEveryMs))
    decisions.push({ at, kind: 'snapshot', client: client(), index: draw.below(shape.indices) });
  const masterEveryMs = draw.of([1_000, 3_000, 6_000]);
  for (let at = draw.between(2_000, 4_000); at < untilMs; at += draw.between(1, 2 * masterEveryMs)) {
    const fault = draw.of(['kill', 'power', 'pause', 'pause'] as const);
    decisions.push({ at, kind: 'master', fault, forMs: draw.between(1, fault === 'pause' ? 8_000 : 2_000) });
  }
  if (draw.chance(0.6))
    for (let at = draw.between(2_000, 5_000); at < untilMs; at += draw.between(500, 4_000)) {
      const fault = draw.of(['slow', 'stalled', 'fails'] as const);
      decisions.push({ at, kind: 'repository', fault, forMs: draw.between(50, 5_000) });
    }
  return decisions;
}

/** Draws what clients do with jobs, from a stream of its own too; nothing in most runs. */
function drawJobs(shape: Shape, isWanted: boolean | undefined): Decision[] {
  const draw = new Draw(seededRandom(Math.imul(shape.seed, 0xc2b2ae35) ^ 0x10b5));
  const hasJobs = draw.chance(JOBS_SHARE);
  if (!(isWanted ?? hasJobs)) return [];
  const acts = draw.of([
    ['post', 'post', 'post', 'flush', 'feed'],
    ['post', 'post', 'post', 'post', 'post', 'cycle', 'feed'],
  ] as const);
  const decisions: Decision[] = [];
  const everyMs = draw.of([50, 150, 400]);
  for (let at = 1_500; at < shape.activeMs; at += draw.between(1, 2 * everyMs))
    decisions.push({ at, kind: 'job', client: draw.below(shape.nodes), act: draw.of(acts) });
  return decisions;
}

/**
 * Draws how the nodes are built, and the requests that use these parts. It has its own random stream, so that the rest
 * of a seed's plan stays the same as before these parts existed.
 */
function drawParts(shape: Shape): [NodeParts, Decision[]] {
  const draw = new Draw(seededRandom(Math.imul(shape.seed, 0x85ebca6b) ^ 0x9a275));
  const nodeParts = {
    shardThreads: draw.of([0, 0, 2, 3]),
    isTight: draw.chance(0.3),
    isSecured: draw.chance(0.4),
  };
  const decisions: Decision[] = [];
  const client = (): number => draw.below(shape.nodes);
  const at = (): number => draw.between(1_500, shape.activeMs);
  if (draw.chance(0.4))
    for (let i = draw.between(1, 3); i > 0; i--)
      decisions.push({ at: at(), kind: 'snapshot', client: client(), index: draw.below(shape.indices) });
  if (nodeParts.isSecured) {
    for (let i = draw.between(1, 5); i > 0; i--) decisions.push({ at: at(), kind: 'createKey', client: client() });
    for (let i = draw.between(0, 3); i > 0; i--)
      decisions.push({ at: at(), kind: 'invalidateKey', client: client(), which: draw.random.next() });
  }
  if (nodeParts.shardThreads > 0 && draw.chance(THREAD_ENDS_SHARE))
    for (let i = draw.between(1, 6); i > 0; i--)
      decisions.push({ at: at(), kind: 'endThread', node: draw.below(shape.nodes), which: draw.random.next() });
  return [nodeParts, decisions];
}

type Shape = Omit<Plan, 'decisions'>;

function drawSetup(draw: Draw, { indices, replicasMax, nodes }: Shape): Decision[] {
  return Array.from({ length: indices }, (_, index) => ({
    at: draw.between(0, 2_000),
    kind: 'createIndex' as const,
    client: draw.below(nodes),
    index,
    shards: draw.between(1, 3),
    replicas: draw.between(0, replicasMax),
    flushBytes: draw.of([2_000, 20_000, 1 << 29]),
  }));
}

function drawWrite(draw: Draw, { indices, docs }: Shape): PlannedWrite {
  const op = draw.of(['index', 'index', 'index', 'create', 'update', 'delete'] as const);
  return { op, index: draw.below(indices), doc: draw.below(docs), conditional: op !== 'create' && draw.chance(0.25) };
}

function drawWorkload(draw: Draw, shape: Shape): Decision[] {
  const decisions: Decision[] = [];
  const pauseMs = draw.of([5, 20, 60, 200]);
  for (let at = 500; at < shape.activeMs; at += draw.between(1, 2 * pauseMs))
    decisions.push(drawRequest(draw, shape, at));
  return decisions;
}

function drawRequest(draw: Draw, shape: Shape, at: number): Decision {
  const client = draw.below(shape.nodes);
  const index = draw.below(shape.indices);
  const choice = draw.random.next();
  if (choice < 0.5) return { at, kind: 'write', client, writes: [drawWrite(draw, shape)] };
  if (choice < 0.7)
    return {
      at,
      kind: 'write',
      client,
      writes: Array.from({ length: draw.between(2, 8) }, () => drawWrite(draw, shape)),
    };
  if (choice < 0.85) return { at, kind: 'get', client, index, doc: draw.below(shape.docs) };
  if (choice < 0.92) return { at, kind: 'search', client, index };
  if (choice < 0.95) return { at, kind: 'refresh', client, index };
  if (choice < 0.975) return { at, kind: 'flush', client, index };
  if (choice < 0.985) return { at, kind: 'replicas', client, index, replicas: draw.between(0, shape.replicasMax) };
  if (choice < 0.99) return { at, kind: 'deleteIndex', client, index };
  if (choice < 0.995)
    return {
      at,
      kind: 'createIndex',
      client,
      index,
      shards: draw.between(1, 3),
      replicas: draw.between(0, shape.replicasMax),
      flushBytes: 20_000,
    };
  if (choice < 0.9975) return { at, kind: 'closeIndex', client, index, forMs: draw.of([1, 30, 2_000]) };
  return { at, kind: 'settings', client, value: draw.below(1000) };
}

function drawFaults(draw: Draw, shape: Shape, faults: readonly Fault[]): Decision[] {
  const decisions: Decision[] = [];
  if (faults.length === 0) return decisions;
  const everyMs = draw.of([500, 1_500, 4_000]);
  for (let at = draw.between(1_000, 1_000 + everyMs); at < shape.activeMs; at += draw.between(1, 2 * everyMs))
    decisions.push(drawFault(draw, shape, draw.of(faults), at));
  return decisions;
}

/** Draws a duration in milliseconds: mostly short, sometimes longer than fault detection waits. */
const drawSpan = (draw: Draw): number => (draw.chance(0.7) ? draw.between(50, 3_000) : draw.between(3_000, 20_000));

function drawGroup(draw: Draw, nodes: number): number[] {
  const group = Array.from({ length: nodes }, (_, i) => i).filter(() => draw.chance(0.5));
  return group.length === 0 || group.length === nodes ? [draw.below(nodes)] : group;
}

function drawFault(draw: Draw, { nodes, indices }: Shape, fault: Fault, at: number): Decision {
  const node = draw.below(nodes);
  const forMs = drawSpan(draw);
  switch (fault) {
    case 'kill':
    case 'power':
    case 'terminate':
      return { at, kind: fault, node, downMs: draw.chance(0.5) ? draw.between(1, 300) : forMs };
    case 'killAll':
      return { at, kind: 'killAll', power: draw.chance(0.5), downMs: draw.between(1, 2_000) };
    case 'pause':
      return { at, kind: 'pause', node, forMs };
    case 'partition':
    case 'oneWay':
      return { at, kind: 'partition', group: drawGroup(draw, nodes), oneWay: fault === 'oneWay', forMs };
    case 'isolate':
      return { at, kind: 'partition', group: [node], oneWay: false, forMs };
    case 'reset':
      return { at, kind: 'reset', a: node, b: (node + 1 + draw.below(nodes - 1)) % nodes };
    case 'delay':
      return { at, kind: 'delay', maxMs: draw.of([5, 50, 500]), tailShare: draw.of([0, 0.05]), lossShare: 0, forMs };
    case 'loss':
      return { at, kind: 'delay', maxMs: 1, tailShare: 0, lossShare: draw.of([0.01, 0.1, 0.3]), forMs };
    case 'duplicates':
      return { at, kind: 'duplicates', share: draw.of([0.05, 0.5]), forMs };
    case 'slowDisk':
      return { at, kind: 'slowDisk', node, factor: draw.of([5, 50, 300]), forMs };
    case 'stalledDisk':
    case 'fullDisk':
      return { at, kind: fault, node, forMs };
    default:
      return drawRareFault(draw, { node, nodes, indices, forMs }, fault, at);
  }
}

function drawRareFault(
  draw: Draw,
  { node, nodes, indices, forMs }: { node: number; nodes: number; indices: number; forMs: number },
  fault: Fault,
  at: number,
): Decision {
  switch (fault) {
    case 'bitFlip':
      return {
        at,
        kind: 'bitFlip',
        node,
        which: draw.random.next(),
        where: draw.random.next(),
        bit: draw.random.next(),
      };
    case 'lostWrite':
      return { at, kind: 'lostWrite', node, which: draw.random.next() };
    case 'wallJump':
      return { at, kind: 'wallJump', node, byMs: draw.between(-3_600_000, 3_600_000) };
    case 'drift':
      return { at, kind: 'drift', node, rate: 0.95 + draw.random.next() * 0.1 };
    case 'exclusion':
      return { at, kind: 'exclusion', node, forMs };
    case 'move':
      return { at, kind: 'move', index: draw.below(indices), shard: draw.below(3), to: draw.below(nodes) };
    default:
      return { at, kind: 'diskError', node };
  }
}
