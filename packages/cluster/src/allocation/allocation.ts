import {
  type ClusterState,
  editMap,
  type IndexMetadata,
  type NodeInfo,
  type ShardRouting,
  isDataNode,
  isRelocationTarget,
} from '@shoal/state';
import { primaryOf } from './copies.js';
import { routingTotals } from './routing-totals.js';
import { tableSummary } from './table-summary.js';
import { allocationSettings, type AllocationSettings } from './allocation-settings.js';
import type { AllocationContext } from './context.js';
import type { Decision, Verdict } from './decision.js';
import { isCheapRecovery } from './recovery-cost.js';

/** A data node with counts of its copies and recoveries. The counts follow each change of the allocation. */
export interface AllocationNode {
  readonly info: NodeInfo;
  /** Copies on the node, initializing ones included. A relocating copy counts on its target node only. */
  shards: number;
  /** Recoveries that copy data to the node; `outgoing`: from the node. */
  incoming: number;
  outgoing: number;
  /** Primaries that initialize on the node from a snapshot or from shards of another index. */
  initialPrimaries: number;
  /** Recoveries to the node that copy little or no data (`isCheapRecovery`). */
  cheap: number;
  /** Bytes that recoveries will write to the node; `leavingBytes`: bytes that relocations will free on it. */
  incomingBytes: number;
  leavingBytes: number;
}

interface TouchedIndex {
  readonly table: (readonly ShardRouting[])[];
  readonly counts: Map<string, number>;
  total: number;
}

/** Options of an allocation. */
export interface AllocationOptions {
  /** Whether decisions have explanations. */
  readonly explains?: boolean;
  /** Whether the `enable` settings are ignored, as by commands of `_cluster/reroute`. */
  readonly ignoresDisable?: boolean;
}

type Table = readonly (readonly ShardRouting[])[];

/**
 * An allocation in progress: the copies of a state after the changes so far, with counts for the deciders. Routing
 * tables without changes are those of the state.
 */
export class Allocation {
  readonly state: ClusterState;
  readonly context: AllocationContext;
  readonly settings: AllocationSettings;
  readonly explains: boolean;
  readonly ignoresDisable: boolean;
  /** Data nodes by id. */
  readonly nodes: ReadonlyMap<string, AllocationNode>;
  readonly #touched = new Map<string, TouchedIndex>();
  readonly #metas = new Map<string, IndexMetadata>();
  /** Copies on data nodes. A relocating copy counts once, for its target node. */
  copiesTotal = 0;
  /** Relocations in progress. */
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
    this.#count();
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

  /** Number of copies of an index on a node. */
  indexCount(uuid: string, nodeId: string): number {
    const touched = this.#touched.get(uuid);
    if (touched) return touched.counts.get(nodeId) ?? 0;
    const table = this.state.routing.get(uuid);
    return table ? (tableSummary(table).counts.get(nodeId) ?? 0) : 0;
  }

  /** Number of copies of an index on all nodes. */
  indexTotal(uuid: string): number {
    const touched = this.#touched.get(uuid);
    if (touched) return touched.total;
    const table = this.state.routing.get(uuid);
    return table ? tableSummary(table).assigned : 0;
  }

  /** Size of a shard in bytes, 0 if it is not known. */
  bytes(uuid: string, shard: number): number {
    return this.context.shardBytes?.(uuid, shard) ?? 0;
  }

  setMeta(meta: IndexMetadata): void {
    this.#metas.set(meta.uuid, meta);
  }

  /** Assigns an unassigned copy to a node: it initializes there. */
  assign(copy: ShardRouting, nodeId: string, allocationId: string, changes: Partial<ShardRouting> = {}): ShardRouting {
    const placed: ShardRouting = { ...copy, ...changes, state: 'INITIALIZING', nodeId, allocationId };
    this.#replace(copy, [placed]);
    return placed;
  }

  /** Starts a relocation. The target follows its source in the list of copies. */
  relocate(copy: ShardRouting, nodeId: string, recoverySource: 'PEER' | 'SNAPSHOT' = 'PEER'): ShardRouting {
    const source: ShardRouting = { ...copy, state: 'RELOCATING', relocatingNodeId: nodeId };
    const target: ShardRouting = {
      ...copy,
      state: 'INITIALIZING',
      nodeId,
      relocatingNodeId: copy.nodeId,
      allocationId: this.context.newUuid(),
      recoverySource,
      unassigned: null,
    };
    this.#replace(copy, [source, target]);
    this.#leave(copy);
    this.relocations++;
    return target;
  }

  /** Changes the `unassigned` info of a copy that stays on its node or unassigned. */
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

  /** Returns the state with all changes; the same object if there are none. */
  finish(): ClusterState {
    if (this.#touched.size === 0 && this.#metas.size === 0) return this.state;
    const tables = [...this.#touched].map(([uuid, { table }]) => [uuid, table] as const);
    const routing = editMap(this.state.routing, tables);
    if (this.#metas.size === 0) return { ...this.state, routing };
    return { ...this.state, routing, indices: editMap(this.state.indices, this.#metas) };
  }

  #count(): void {
    const totals = routingTotals(this.state);
    for (const [nodeId, count] of totals.counts) {
      const node = this.nodes.get(nodeId);
      if (!node) continue;
      node.shards += count;
      this.copiesTotal += count;
    }
    for (const uuid of totals.unsettled) this.#countUnsettled(this.state.routing.get(uuid)!);
  }

  #countUnsettled(table: Table): void {
    const summary = tableSummary(table);
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

  /** Removes a copy from the counts of its node. For a relocating copy, whose target counts from now on. */
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
