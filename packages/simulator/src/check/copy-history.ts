import type { ClusterState, ShardRouting } from '@shoal/state';
import type { SimulatedNode } from '../cluster/simulated-node.js';

type Violate = (invariant: string, what: string) => void;

const OPERATION_PREFIX = 0x6f;

/** The key of an operation in a shard's store: see docs/formats. */
function operationKey(seqNo: number): Uint8Array {
  const key = Buffer.alloc(9);
  key[0] = OPERATION_PREFIX;
  key.writeUInt32BE(Math.floor(seqNo / 2 ** 32), 1);
  key.writeUInt32BE(seqNo >>> 0, 5);
  return key;
}

export const storeOf = (indexUuid: string, shard: number): string => `data/indices/${indexUuid}/${shard}/db`;

const activePrimary = (copies: readonly ShardRouting[]): ShardRouting | undefined =>
  copies.find((copy) => copy.primary && (copy.state === 'STARTED' || copy.state === 'RELOCATING'));

const isInSync = (state: ClusterState, indexUuid: string, shard: number, allocationId: string | null): boolean =>
  allocationId !== null && (state.indices.get(indexUuid)?.inSync[shard]?.includes(allocationId) ?? false);

/** A copy that lacked an answered operation, by a state that may not have been the newest committed one. */
interface Doubt {
  /** Of the newest committed state at the answer. */
  readonly version: number;
  readonly indexUuid: string;
  readonly shard: number;
  readonly allocationId: string;
  readonly what: string;
}

/** What committed states say about copies, and what the disks have when a write is answered (I12 to I15). */
export class CopyHistory {
  readonly #violate: Violate;
  readonly #nodes: readonly SimulatedNode[];
  #last: ClusterState | null = null;
  #doubts: Doubt[] = [];
  readonly #damaged = new Set<string>();
  /** Highest term with an active primary, by shard; with its allocation. */
  readonly #primaries = new Map<string, { readonly term: number; readonly allocationId: string | null }>();

  constructor(violate: Violate, nodes: readonly SimulatedNode[]) {
    this.#violate = violate;
    this.#nodes = nodes;
  }

  /** A committed state, as the first node applies it. */
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
    // States in between may not have been seen by anybody here.
    const isNextState = last !== null && state.version === last.version + 1;
    const isNew = known !== undefined && known.allocationId !== primary.allocationId;
    const wasRelocating =
      last?.routing.get(uuid)?.[shard]?.some((copy) => copy.primary && copy.state === 'RELOCATING') ?? false;
    if (isNew && isNextState && before.length > 0 && !before.includes(primary.allocationId ?? '') && !wasRelocating)
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
   * A write was answered: every copy that is in sync and has a place has it on its disk. `committed`: version of the
   * newest committed state, by which a primary goes before its node shows it.
   */
  acked(indexUuid: string, shard: number, seqNo: number, what: string, committed: number): void {
    const state = this.#last;
    const meta = state?.indices.get(indexUuid);
    if (!state || !meta) return;
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

  /** A newer version, or a deletion of the index, may have made the operation needless. */
  #mayLack(indexUuid: string, shard: number, seqNo: number, node: SimulatedNode): boolean {
    const location = storeOf(indexUuid, shard);
    return (
      this.isDamaged(indexUuid, shard, node.id) ||
      node.stores.durableValue(location, operationKey(seqNo)) !== undefined ||
      node.stores.isCollected(location, seqNo)
    );
  }

  /** What was committed at the answer is known now: a copy that is still in sync had to have the operation. */
  #decide(state: ClusterState): void {
    const due = this.#doubts.filter(({ version }) => version <= state.version);
    if (due.length === 0) return;
    this.#doubts = this.#doubts.filter(({ version }) => version > state.version);
    for (const { indexUuid, shard, allocationId, what } of due)
      if (isInSync(state, indexUuid, shard, allocationId)) this.#violate('I13', what);
  }

  /** Whether another undamaged copy that is in sync runs beside the one in this folder. */
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

  /** Whether a copy of the shard was ever damaged: it may be that no whole one is left. */
  wasDamaged(indexUuid: string, shard: number): boolean {
    return [...this.#damaged].some((key) => key.startsWith(`${storeOf(indexUuid, shard)}@`));
  }

  /** Whether any shard of the index has had a damaged copy. */
  wasDamagedAnywhere(indexUuid: string): boolean {
    return [...this.#damaged].some((key) => key.startsWith(`data/indices/${indexUuid}/`));
  }
}
