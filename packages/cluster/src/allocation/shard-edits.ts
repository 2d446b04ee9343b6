import { type ClusterState, editMap, type IndexMetadata, type ShardRouting } from '@shoal/state';
import { withIndices } from '../metadata/edit-state.js';
import type { ShardGroup } from './shard-group.js';

interface EditedIndex {
  readonly table: (readonly ShardRouting[])[];
  readonly terms: number[];
  readonly inSync: (readonly string[])[];
  metaChanged: boolean;
}

/** Collects changes to many shards of a state, so that each index is copied once. */
export class ShardEdits {
  readonly #state: ClusterState;
  readonly #edited = new Map<string, EditedIndex>();

  constructor(state: ClusterState) {
    this.#state = state;
  }

  /** Returns a shard with the edits so far; null if it does not exist. */
  group(uuid: string, shard: number): ShardGroup | null {
    const edited = this.#edited.get(uuid);
    const meta = this.#state.indices.get(uuid);
    const copies = edited ? edited.table[shard] : this.#state.routing.get(uuid)?.[shard];
    if (!meta || !copies) return null;
    return {
      copies,
      term: (edited ? edited.terms : meta.primaryTerms)[shard] ?? 1,
      inSync: (edited ? edited.inSync : meta.inSync)[shard] ?? [],
    };
  }

  /** Replaces a shard; `next` must derive from `group` of the same shard. */
  set(uuid: string, shard: number, next: ShardGroup): void {
    const edited = this.#edit(uuid);
    if (!edited) return;
    edited.metaChanged ||= edited.terms[shard] !== next.term || edited.inSync[shard] !== next.inSync;
    edited.table[shard] = next.copies;
    edited.terms[shard] = next.term;
    edited.inSync[shard] = next.inSync;
  }

  /** Returns the state with all edits; the same object if there are none. */
  finish(): ClusterState {
    if (this.#edited.size === 0) return this.#state;
    const tables = [...this.#edited].map(([uuid, { table }]) => [uuid, table] as const);
    const routing = editMap(this.#state.routing, tables);
    const changed: IndexMetadata[] = [];
    for (const [uuid, { terms, inSync, metaChanged }] of this.#edited) {
      const meta = this.#state.indices.get(uuid)!;
      if (metaChanged) changed.push({ ...meta, primaryTerms: terms, inSync, version: meta.version + 1 });
    }
    return changed.length === 0 ? { ...this.#state, routing } : withIndices({ ...this.#state, routing }, changed);
  }

  #edit(uuid: string): EditedIndex | undefined {
    const known = this.#edited.get(uuid);
    const meta = this.#state.indices.get(uuid);
    const table = this.#state.routing.get(uuid);
    if (known || !meta || !table) return known;
    const edited: EditedIndex = {
      table: [...table],
      terms: [...meta.primaryTerms],
      inSync: [...meta.inSync],
      metaChanged: false,
    };
    this.#edited.set(uuid, edited);
    return edited;
  }
}
