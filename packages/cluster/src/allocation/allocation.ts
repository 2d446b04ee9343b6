import {
  type ClusterState,
  type IndexMetadata,
  type NodeInfo,
  type ShardRouting,
  isDataNode,
  isRelocationTarget,
  primaryOf,
  tableSummary,
} from '@shoal/state';
import { allocationSettings, type AllocationSettings } from './allocation-settings.js';
import type { AllocationContext } from './context.js';
import type { Decision, Verdict } from './decision.js';
import { isCheapRecovery } from './recovery-cost.js';

/** A data node with what it holds and does, kept in step with every change of the allocation. */
export interface AllocationNode {
  readonly info: NodeInfo;
  /** Copies: those that initialize included, those that move away not. */
  shards: number;
  /** Recoveries that copy data to it and from it. */
  incoming: number;
  outgoing: number;
  /** Primaries that are filled from elsewhere. */
  initialPrimaries: number;
  /** Recoveries that copy next to nothing. */
  cheap: number;
  /** Bytes that recoveries will still write to it, and those that moves will free. */
  incomingBytes: number;
  leavingBytes: number;
}

interface TouchedIndex {
  readonly table: (readonly ShardRouting[])[];
  readonly counts: Map<string, number>;
  total: number;
}

export interface AllocationOptions {
  /** Deciders say why. */
  readonly explains?: boolean;
  /** Commands of an operator go past `enable` settings. */
  readonly ignoresDisable?: boolean;
}

type Table = readonly (readonly ShardRouting[])[];

/**
 * An allocation in progress over a state: the copies as they are after the changes so far, with counts for the
 * deciders. Tables that no change touches stay the state's own.
 */
export class Allocation {
  readonly state: ClusterState;
  readonly context: AllocationContext;
  readonly settings: AllocationSettings;
  readonly explains: boolean;
  readonly ignoresDisable: boolean;
  /** By id, data nodes only. */
  readonly nodes: ReadonlyMap<string, AllocationNode>;
  readonly #touched = new Map<string, TouchedIndex>();
  readonly #metas = new Map<string, IndexMetadata>();
  /** Copies on data nodes, those that move counted where they go. */
  copiesTotal = 0;
  /** Moves in progress. */
  relocations = 0;
  inactive = 0;
  inactivePrimaries = 0;
  unassigned = 0;
  unassignedPrimaries = 0;

  constructor(state: ClusterState, context: AllocationContext, options: AllocationOptions = {}) {
    this.state = state;
    this.context = context;
    this.settings = allocationSettings(state, context.nodeSettings);
    this.explains = options.explains === true;
    this.ignoresDisable = options.ignoresDisable === true;
    const nodes = [...state.nodes.values()].filter(isDataNode).map(
      (info): AllocationNode => ({
        info,
        shards: 0,
        incoming: 0,
        outgoing: 0,
        initialPrimaries: 0,
        cheap: 0,
        incomingBytes: 0,
        leavingBytes: 0,
      }),
    );
    this.nodes = new Map(nodes.map((node) => [node.info.id, node]));
    for (const table of state.routing.values()) this.#countTable(table);
  }

  meta(uuid: string): IndexMetadata | undefined {
    return this.#metas.get(uuid) ?? this.state.indices.get(uuid);
  }

  table(uuid: string): Table {
    return this.#touched.get(uuid)?.table ?? this.state.routing.get(uuid) ?? [];
  }

  copies(uuid: string, shard: number): readonly ShardRouting[] {
    return this.table(uuid)[shard] ?? [];
  }

  primary(copy: ShardRouting): ShardRouting | undefined {
    return primaryOf(this.copies(copy.indexUuid, copy.shard));
  }

  /** Copies of an index on a node. */
  indexCount(uuid: string, nodeId: string): number {
    const touched = this.#touched.get(uuid);
    if (touched) return touched.counts.get(nodeId) ?? 0;
    const table = this.state.routing.get(uuid);
    return table ? (tableSummary(table).counts.get(nodeId) ?? 0) : 0;
  }

  /** Copies of an index on all nodes. */
  indexTotal(uuid: string): number {
    const touched = this.#touched.get(uuid);
    if (touched) return touched.total;
    const table = this.state.routing.get(uuid);
    return table ? tableSummary(table).assigned : 0;
  }

  /** Size of a shard, 0 when it is not known. */
  bytes(uuid: string, shard: number): number {
    return this.context.shardBytes?.(uuid, shard) ?? 0;
  }

  setMeta(meta: IndexMetadata): void {
    this.#metas.set(meta.uuid, meta);
  }

  /** Gives a copy without a node its place. */
  assign(copy: ShardRouting, nodeId: string, allocationId: string, changes: Partial<ShardRouting> = {}): ShardRouting {
    const placed: ShardRouting = { ...copy, ...changes, state: 'INITIALIZING', nodeId, allocationId };
    this.#replace(copy, [placed]);
    return placed;
  }

  /** Begins a move; the target follows its source in the list. */
  relocate(copy: ShardRouting, nodeId: string): ShardRouting {
    const source: ShardRouting = { ...copy, state: 'RELOCATING', relocatingNodeId: nodeId };
    const target: ShardRouting = {
      ...copy,
      state: 'INITIALIZING',
      nodeId,
      relocatingNodeId: copy.nodeId,
      allocationId: this.context.newUuid(),
      recoverySource: 'PEER',
      unassigned: null,
    };
    this.#replace(copy, [source, target]);
    this.#leave(copy);
    this.relocations++;
    return target;
  }

  /** Changes what is noted about a copy that stays where it is. */
  annotate(copy: ShardRouting, changes: Pick<ShardRouting, 'unassigned'>): ShardRouting {
    const next: ShardRouting = { ...copy, ...changes };
    this.#touch(copy.indexUuid).table[copy.shard] = this.copies(copy.indexUuid, copy.shard).map((other) =>
      other === copy ? next : other,
    );
    return next;
  }

  decide(decider: string, decision: Verdict, why: () => string): Decision {
    return { decider, decision, explanation: this.explains ? why() : '' };
  }

  /** The state with all changes; the same object without any. */
  finish(): ClusterState {
    if (this.#touched.size === 0 && this.#metas.size === 0) return this.state;
    const routing = new Map(this.state.routing);
    for (const [uuid, { table }] of this.#touched) routing.set(uuid, table);
    if (this.#metas.size === 0) return { ...this.state, routing };
    const indices = new Map(this.state.indices);
    for (const [uuid, meta] of this.#metas) indices.set(uuid, meta);
    return { ...this.state, routing, indices };
  }

  #countTable(table: Table): void {
    const summary = tableSummary(table);
    for (const [nodeId, count] of summary.counts) {
      const node = this.nodes.get(nodeId);
      if (!node) continue;
      node.shards += count;
      this.copiesTotal += count;
    }
    this.relocations += summary.relocating;
    this.inactive += summary.inactive;
    this.inactivePrimaries += summary.inactivePrimaries;
    this.unassigned += summary.unassigned;
    if (summary.inactivePrimaries > 0)
      for (const copies of table) if (primaryOf(copies)?.state === 'UNASSIGNED') this.unassignedPrimaries++;
    if (summary.initializing === 0) return;
    for (const copies of table)
      for (const copy of copies) if (copy.state === 'INITIALIZING') this.#countRecovery(copies, copy);
  }

  #countRecovery(copies: readonly ShardRouting[], copy: ShardRouting): void {
    const node = this.nodes.get(copy.nodeId ?? '');
    if (!node) return;
    if (isCheapRecovery(this.context, copy)) {
      node.cheap++;
      return;
    }
    if (copy.primary && !isRelocationTarget(copy)) {
      node.initialPrimaries++;
      return;
    }
    const bytes = this.bytes(copy.indexUuid, copy.shard);
    node.incoming++;
    node.incomingBytes += bytes;
    const source = this.nodes.get((copy.primary ? copy.relocatingNodeId : primaryOf(copies)?.nodeId) ?? '');
    if (source) source.outgoing++;
    const left = isRelocationTarget(copy) ? this.nodes.get(copy.relocatingNodeId!) : undefined;
    if (left) left.leavingBytes += bytes;
  }

  /** A copy that moves away counts where it goes. */
  #leave(copy: ShardRouting): void {
    const touched = this.#touch(copy.indexUuid);
    const { counts } = touched;
    touched.total--;
    counts.set(copy.nodeId!, (counts.get(copy.nodeId!) ?? 1) - 1);
    const node = this.nodes.get(copy.nodeId!);
    if (node) node.shards--;
    this.copiesTotal--;
  }

  #touch(uuid: string): TouchedIndex {
    let touched = this.#touched.get(uuid);
    if (!touched) {
      const table = this.state.routing.get(uuid) ?? [];
      touched = { table: [...table], counts: new Map(tableSummary(table).counts), total: tableSummary(table).assigned };
      this.#touched.set(uuid, touched);
    }
    return touched;
  }

  #replace(copy: ShardRouting, next: readonly ShardRouting[]): void {
    const touched = this.#touch(copy.indexUuid);
    const { table, counts } = touched;
    const copies = table[copy.shard]!.flatMap((other) => (other === copy ? next : [other]));
    table[copy.shard] = copies;
    if (copy.state === 'UNASSIGNED') {
      this.unassigned--;
      if (copy.primary) this.unassignedPrimaries--;
    }
    for (const placed of next) {
      if (placed.state !== 'INITIALIZING' || placed.nodeId === null) continue;
      touched.total++;
      counts.set(placed.nodeId, (counts.get(placed.nodeId) ?? 0) + 1);
      const node = this.nodes.get(placed.nodeId);
      if (node) node.shards++;
      this.copiesTotal++;
      this.#countRecovery(copies, placed);
    }
  }
}
