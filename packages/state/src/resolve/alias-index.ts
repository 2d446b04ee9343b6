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

/** For each alias its indices, ordered by name. Computed once for each map of indices. */
export function aliasIndex(state: ClusterState): ReadonlyMap<string, readonly IndexMetadata[]> {
  let index = aliasIndexes.get(state.indices);
  if (!index) {
    index = build(state);
    aliasIndexes.set(state.indices, index);
  }
  return index;
}

/** Whether an alias is hidden: all its indices define it as hidden. */
export function aliasIsHidden(members: readonly IndexMetadata[], alias: string): boolean {
  return members.every((meta) => meta.aliases[alias]?.isHidden === true);
}
