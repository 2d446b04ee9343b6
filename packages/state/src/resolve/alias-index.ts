import type { ClusterState, IndexMetadata } from '../state.js';

const aliasIndexes = new WeakMap<ReadonlyMap<string, IndexMetadata>, ReadonlyMap<string, readonly IndexMetadata[]>>();

function build(state: ClusterState): ReadonlyMap<string, readonly IndexMetadata[]> {
  const aliases = new Map<string, IndexMetadata[]>();
  for (const meta of [...state.indices.values()].sort((a, b) => (a.name < b.name ? -1 : 1))) {
    for (const alias of Object.keys(meta.aliases)) {
      const members = aliases.get(alias);
      if (members) members.push(meta);
      else aliases.set(alias, [meta]);
    }
  }
  return aliases;
}

/** Members of every alias, by name of index; derived once for each set of indices. */
export function aliasIndex(state: ClusterState): ReadonlyMap<string, readonly IndexMetadata[]> {
  let index = aliasIndexes.get(state.indices);
  if (!index) {
    index = build(state);
    aliasIndexes.set(state.indices, index);
  }
  return index;
}

/** An alias is hidden when all its members say so. */
export function aliasIsHidden(members: readonly IndexMetadata[], alias: string): boolean {
  return members.every((meta) => meta.aliases[alias]?.isHidden === true);
}
