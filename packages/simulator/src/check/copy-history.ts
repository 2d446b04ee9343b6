import { type ClusterState, isMounted, isPartiallyMounted, type ShardRouting } from '@shoal/state';
import type { SimulatedNode } from '../cluster/simulated-node.js';

type Violate = (invariant: string, what: string) => void;

const OPERATION_PREFIX = 0x6f;

/** Returns the key of an operation in a shard's store (docs/formats). */
function operationKey(seqNo: number): Uint8Array {
  const key = Buffer.alloc(9);
  key[0] = OPERATION_PREFIX;
  key.writeUInt32BE(Math.floor(seqNo / 2 ** 32), 1);
  key.writeUInt32BE(seqNo >>> 0, 5);
  return key;
}

/** Returns the folder of a shard's store, relative to the node's disk. */
export const storeOf = (indexUuid: string, shard: number): string => `data/indices/${indexUuid}/${shard}/db`;

const activePrimary = (copies: readonly ShardRouting[]): ShardRouting | undefined =>
  copies.find((copy) => copy.primary && (copy.state === 'STARTED' || copy.state === 'RELOCATING'));

const isInSync = (state: ClusterState, indexUuid: string, shard: number, allocationId: string | null): boolean =>
  allocationId !== null && (state.indices.get(indexUuid)?.inSync[shard]?.includes(allocationId) ?? false);

/**
 * A copy that lacked an acknowledged operation. The state in which it was in sync may not have been the newest
 * committed one.
 */
interface Doubt {
  /** Version of the newest committed state at the answer. */
  readonly version: number;
  readonly indexUuid: string;
  readonly shard: number;
  readonly allocationId: string;
  readonly what: string;
}

/**
 * Checks invariants I12 to I15: which copies committed states name as in sync and primary, and what their disks have
 * when a write is acknowledged.
 */
export class CopyHistory {
  readonly #violate: Violate;
  readonly #nodes: readonly SimulatedNode[];
  #last: ClusterState | null = null;
  #doubts: Doubt[] = [];
  readonly #damaged = new Set<string>();
  /** Highest term with an active primary and its allocation id, by shard. */
  readonly #primaries = new Map<string, { readonly term: number; readonly allocationId: string | null }>();

  constructor(violate: Violate, nodes: readonly SimulatedNode[]) {
    this.#violate = violate;
    this.#nodes = nodes;
  }

  /** Records a committed state when the first node applies it. */
  applied(state: ClusterState): void {
    const last = this.#last;
    if (last !== null && state.version <= last.version) return;
    this.#last = state;
    this.#decide(state);
    for (const [uuid, groups] of state.routing) {
      if (last?.routing.get(uuid) === groups && last.indices.get(uuid) === state.indices.get(uuid)) continue;
      groups.forEach((copies, shard) => this.#look(state, last, uuid, shard, copies));
    }
  }

  #look(
    state: ClusterState,
    last: ClusterState | null,
    uuid: string,
    shard: number,
    copies: readonly ShardRouting[],
  ): void {
    const meta = state.indices.get(uuid);
    if (!meta) return;
    const name = `[${meta.name}][${shard}]`;
    const before = last?.indices.get(uuid)?.inSync[shard] ?? [];
    const inSync = meta.inSync[shard] ?? [];
    if (before.length > 0 && inSync.length === 0)
      this.#violate('I12', `${name} has no copy in sync from version ${state.version} on`);
    const primary = activePrimary(copies);
    if (!primary) return;
    const term = meta.primaryTerms[shard] ?? 0;
    const known = this.#primaries.get(`${uuid}/${shard}`);
    if (!inSync.includes(primary.allocationId ?? ''))
      this.#violate(
        'I14',
        `${name}: the primary ${primary.allocationId} of version ${state.version} is not in sync (${inSync.join()})`,
      );
    // No node may have applied the states in between: these checks need two consecutive versions.
    const isNextState = last !== null && state.version === last.version + 1;
    const isNew = known !== undefined && known.allocationId !== primary.allocationId;
    const wasRelocating =
      last?.routing.get(uuid)?.[shard]?.some((copy) => copy.primary && copy.state === 'RELOCATING') ?? false;
    // A mounted copy is made anew from its snapshot, wherever no copy is left.
    const mayBeAnew = wasRelocating || isMounted(meta);
    if (isNew && isNextState && before.length > 0 && !before.includes(primary.allocationId ?? '') && !mayBeAnew)
      this.#violate(
        'I14',
        `${name}: ${primary.allocationId}, primary of version ${state.version}, was not in sync (${before.join()})`,
      );
    if (isNew && known.term >= term && isNextState && !wasRelocating)
      this.#violate(
        'I15',
        `${name}: term ${term} of the new primary ${primary.allocationId} is that of ${known.allocationId}`,
      );
    if (known && term < known.term) this.#violate('I15', `${name}: the term falls from ${known.term} to ${term}`);
    this.#primaries.set(`${uuid}/${shard}`, { term, allocationId: primary.allocationId });
  }

  /**
   * Checks that each in-sync copy with a node has an acknowledged write on its disk. `committed`: version of the newest
   * committed state. A primary may already act on that state before its node applies it.
   */
  acked(indexUuid: string, shard: number, seqNo: number, what: string, committed: number): void {
    const state = this.#last;
    const meta = state?.indices.get(indexUuid);
    // A partially mounted copy reads what it has from the snapshot, and is placed anew wherever it goes.
    if (!state || !meta || isPartiallyMounted(meta)) return;
    for (const copy of state.routing.get(indexUuid)?.[shard] ?? []) {
      const node = this.#nodes.find(({ id }) => id === copy.nodeId);
      if (
        !node ||
        !isInSync(state, indexUuid, shard, copy.allocationId) ||
        this.#mayLack(indexUuid, shard, seqNo, node)
      )
        continue;
      const lacks =
        `[${meta.name}][${shard}]: ${what} was answered with number ${seqNo}, which copy ${copy.allocationId} on ` +
        `${node.name} has not on its disk`;
      this.#doubts.push({ version: committed, indexUuid, shard, allocationId: copy.allocationId!, what: lacks });
    }
    this.#decide(state);
  }

  /** Whether a copy is excused: it is damaged, has the operation, or a later operation has replaced it. */
  #mayLack(indexUuid: string, shard: number, seqNo: number, node: SimulatedNode): boolean {
    const location = storeOf(indexUuid, shard);
    return (
      this.isDamaged(indexUuid, shard, node.id) ||
      node.stores.durableValue(location, operationKey(seqNo)) !== undefined ||
      node.stores.isCollected(location, seqNo)
    );
  }

  /**
   * Decides doubts whose committed state has been applied: a copy that is still in sync must have had the operation.
   */
  #decide(state: ClusterState): void {
    const due = this.#doubts.filter(({ version }) => version <= state.version);
    if (due.length === 0) return;
    this.#doubts = this.#doubts.filter(({ version }) => version > state.version);
    for (const { indexUuid, shard, allocationId, what } of due)
      if (isInSync(state, indexUuid, shard, allocationId)) this.#violate('I13', what);
  }

  /** Whether another started in-sync copy without damage exists besides the one in this folder. */
  isSpared(location: string, node: SimulatedNode): boolean {
    const [, , indexUuid, shardText] = location.split('/');
    const shard = Number(shardText);
    const inSync = this.#last?.indices.get(indexUuid!)?.inSync[shard] ?? [];
    const copies = this.#last?.routing.get(indexUuid!)?.[shard] ?? [];
    return copies.some(
      (copy) =>
        copy.state === 'STARTED' &&
        copy.nodeId !== null &&
        copy.nodeId !== node.id &&
        inSync.includes(copy.allocationId ?? '') &&
        !this.isDamaged(indexUuid!, shard, copy.nodeId),
    );
  }

  damaged(location: string, node: SimulatedNode): void {
    this.#damaged.add(`${location}@${node.id}`);
  }

  isDamaged(indexUuid: string, shard: number, nodeId: string): boolean {
    return this.#damaged.has(`${storeOf(indexUuid, shard)}@${nodeId}`);
  }

  /** Whether a copy of the shard was ever damaged; possibly no intact copy is left. */
  wasDamaged(indexUuid: string, shard: number): boolean {
    return [...this.#damaged].some((key) => key.startsWith(`${storeOf(indexUuid, shard)}@`));
  }

  /** Whether any shard of the index has had a damaged copy. */
  wasDamagedAnywhere(indexUuid: string): boolean {
    return [...this.#damaged].some((key) => key.startsWith(`data/indices/${indexUuid}/`));
  }
}
