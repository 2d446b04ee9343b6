import type { ClusterState } from '@shoal/state';
import { type Random, seededRandom } from '@shoal/doors';
import { replication } from '@shoal/protocol';
import { simulatedNetwork, type SimulatedNetwork } from '@shoal/transport';
import { CoordinationHistory } from '../check/coordination-history.js';
import { CopyHistory } from '../check/copy-history.js';
import { DocumentHistory } from '../check/document-history.js';
import { KeyHistory } from '../check/key-history.js';
import { LogHistory } from '../check/log-history.js';
import { RepositoryBlobs } from '../check/repository-blobs.js';
import { RefreshHistory } from '../check/refresh-history.js';
import { SnapshotHistory } from '../check/snapshot-history.js';
import { Device } from '../disk/device.js';
import { SimulatedFiles } from '../disk/simulated-files.js';
import type { Mutation } from '../mutations/mutation.js';
import type { Plan } from '../plan/plan.js';
import { EventLoop, type ProcessGate } from '../time/event-loop.js';
import { nodeClock, rightClock } from '../time/node-clock.js';
import { LogTail } from './log-tail.js';
import { observeRequests } from './observe-messages.js';
import { REPOSITORY } from './repository.js';
import { hostOfNode, nameOfNode, SimulatedNode } from './simulated-node.js';

const ALL_ROLES = ['master', 'data', 'data_content', 'data_hot', 'ingest'];
const DATA_ROLES = ['data', 'data_content', 'data_hot', 'ingest'];
/** Milliseconds after which a failed process is restarted, as a supervisor does. */
const RESTART_MS = 1_000;

/** A violated invariant. */
export interface Violation {
  readonly atMs: number;
  readonly invariant: string;
  readonly what: string;
}

/** Derives a seed by Murmur3's finaliser, so that near seeds and purposes give unrelated streams. */
function streamSeed(seed: number, purpose: string): number {
  let h = seed | 0;
  for (let i = 0; i < purpose.length; i++) h = Math.imul(h ^ purpose.charCodeAt(i), 0x5bd1e995) ^ (h >>> 13);
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  return h ^ (h >>> 13);
}

/** A cluster of whole nodes on virtual time, with the histories that check it. */
export class World {
  readonly plan: Plan;
  readonly loop: EventLoop;
  readonly network: SimulatedNetwork;
  readonly tail: LogTail;
  readonly nodes: readonly SimulatedNode[];
  readonly violations: Violation[] = [];
  readonly coordination: CoordinationHistory;
  readonly documents: DocumentHistory;
  readonly refreshes: RefreshHistory;
  readonly copies: CopyHistory;
  readonly logs: LogHistory;
  readonly keys = new KeyHistory();
  readonly snapshots = new SnapshotHistory();
  readonly duplicates = { share: 0, untilMs: 0 };
  /** Whether faults are over. */
  isHealed = false;
  readonly repositoryDevice: Device;
  readonly blobs: RepositoryBlobs;
  readonly #repository: SimulatedFiles;
  #shown = new Map<SimulatedNode, ClusterState>();

  constructor(plan: Plan, mutation: Mutation | null = null) {
    this.plan = plan;
    this.loop = new EventLoop((error, gate) => this.#thrown(error, gate));
    this.tail = new LogTail(this.loop);
    const violate = (invariant: string, what: string): void => this.violate(invariant, what);
    this.coordination = new CoordinationHistory(violate);
    this.documents = new DocumentHistory(violate);
    this.refreshes = new RefreshHistory(violate);
    this.logs = new LogHistory(violate);
    this.network = simulatedNetwork({
      clock: nodeClock(this.loop, null, rightClock()),
      random: this.randomFor('network'),
    });
    this.repositoryDevice = new Device(this.loop, this.randomFor('disk/repository'), {});
    this.#repository = new SimulatedFiles(this.repositoryDevice, (path, isRemoved) =>
      this.blobs.changed(path, isRemoved),
    );
    this.blobs = new RepositoryBlobs(REPOSITORY.folder, this.#repository, violate);
    this.nodes = Array.from({ length: plan.nodes }, (_, index) => this.#node(index, mutation));
    this.copies = new CopyHistory(violate, this.nodes);
  }

  randomFor(purpose: string): Random {
    return seededRandom(streamSeed(this.plan.seed, purpose));
  }

  violate(invariant: string, what: string): void {
    if (this.violations.length >= 5) return;
    this.violations.push({ atMs: this.loop.now, invariant, what });
    this.tail.note(`VIOLATION ${invariant} ${what}`);
  }

  /** Runs to `untilMs` of virtual time, or to the first violation. */
  run(untilMs: number): void {
    if (this.violations.length > 0) return;
    this.loop.run(untilMs, () => {
      this.look();
      return this.violations.length > 0;
    });
  }

  /**
   * Checks what all nodes show now. Messages from the network change a node's state without an event of its process.
   */
  look(): void {
    for (const node of this.nodes) this.#look(node);
  }

  /** Records that a client was told that all nodes know its index; `since` was the newest version at its request. */
  acknowledged(index: string, since: number): void {
    this.look();
    const shown = this.nodes.flatMap((node): [string, number][] =>
      node.running ? [[`${node.id}/${node.process!.session}`, node.running.cluster.state().version]] : [],
    );
    this.coordination.acknowledged(index, since, new Map(shown));
  }

  /**
   * Records that an operation was acknowledged. First looks at all nodes: the state that allowed the acknowledgement
   * may have been applied in this same event.
   */
  answered(indexUuid: string, shard: number, seqNo: number, what: string): void {
    this.look();
    this.copies.acked(indexUuid, shard, seqNo, what, this.coordination.committedVersion);
  }

  readonly after = (delayMs: number, run: () => void): void => void this.loop.at(this.loop.now + delayMs, null, run);

  /** Nodes whose process has started and is not paused. */
  get running(): SimulatedNode[] {
    return this.nodes.filter(({ process }) => process?.assembled && !process.gate.isPaused);
  }

  #rolesOf(index: number): readonly string[] {
    const roles = index < this.plan.masters ? ALL_ROLES : DATA_ROLES;
    return this.plan.hasJobs === true ? [...roles, 'ml'] : roles;
  }

  #node(index: number, mutation: Mutation | null): SimulatedNode {
    const { nodes, masters } = this.plan;
    const hosts = Array.from({ length: nodes }, (_, i) => `${hostOfNode(i)}:9300`);
    const initialMasters = Array.from({ length: masters }, (_, i) => nameOfNode(i));
    return new SimulatedNode(
      { index, roles: this.#rolesOf(index), seedHosts: hosts, initialMasters },
      {
        loop: this.loop,
        network: this.network,
        tail: this.tail,
        mutation,
        parts: this.plan.nodeParts,
        repository: this.#repository,
        files: { share: this.plan.filesShare ?? 0, untilMs: this.plan.activeMs },
        duplicates: this.duplicates,
        randomFor: (purpose) => this.randomFor(purpose),
        observe: (transport, node) =>
          observeRequests(transport, (to, action, payload, message) => {
            this.loop.trace(payload.length + action.length * 65_536);
            if (message) this.coordination.sent(node.id, `${node.id}/${node.process?.session}`, to, message);
            if (action === replication.methods.replicate.action) this.#announced(node, payload);
          }),
        onStored: (node, location, batch) => {
          this.loop.trace(location.length * 1000 + batch.length);
          const checkpoint = this.logs.stored(node, location, batch, (shard, seqNo, term) =>
            this.documents.wasAnswered(shard, seqNo, term),
          );
          if (checkpoint !== null) this.#noted(node, location, checkpoint);
        },
        onFatal: (node, error) => this.#fatal(node, error),
      },
    );
  }

  /** Checks a checkpoint that a copy notes: an in-sync copy that lacks the operations could become primary. */
  #noted(node: SimulatedNode, location: string, checkpoint: number): void {
    const [, , indexUuid, shard] = location.split('/');
    this.answered(indexUuid!, Number(shard), checkpoint, `a checkpoint that ${node.name} notes`);
  }

  /** Checks that operations below an announced global checkpoint are on the disks of all in-sync copies. */
  #announced(node: SimulatedNode, payload: Uint8Array): void {
    const { copy, globalCheckpoint } = replication.decodeReplicateRequest(payload);
    if (!copy || !this.logs.announced(node, node.process!.session, copy, globalCheckpoint)) return;
    this.answered(copy.indexUuid, copy.shard, globalCheckpoint, `the checkpoint of ${node.name}`);
  }

  /** Checks what a node shows after an event of its process. */
  #look(node: SimulatedNode): void {
    const state = node.running?.cluster.state();
    if (!state || state.masterNodeId === null || this.#shown.get(node) === state) return;
    this.#shown.set(node, state);
    this.coordination.applied(`${node.id}/${node.process!.session}`, state);
    this.copies.applied(state);
  }

  #thrown(error: unknown, gate: ProcessGate | null): void {
    const node = this.nodes.find(({ process }) => process?.gate === gate);
    this.violate('exception', `${node?.name ?? 'world'}: ${error instanceof Error ? error.stack : String(error)}`);
  }

  /** Restarts a failed process, as a supervisor does. A failure without a disk fault is a violation. */
  #fatal(node: SimulatedNode, error: Error): void {
    this.tail.note(`${node.name} cannot go on: ${error.stack ?? error.message}`);
    if (
      !this.plan.decisions.some(
        ({ kind }) => kind === 'diskError' || kind === 'fullDisk' || kind === 'bitFlip' || kind === 'lostWrite',
      )
    )
      this.violate('fatal', `${node.name}: ${error.message}`);
    node.crash(false);
    this.after(RESTART_MS, () => node.start());
  }
}
