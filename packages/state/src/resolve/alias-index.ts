import { derivedOf } from '../edited-map.js';
import type { ClusterState, IndexMetadata } from '../state.js';

type Indices = ClusterState['indices'];
type AliasIndex = ReadonlyMap<string, readonly IndexMetadata[]>;

function build(indices: Indices): AliasIndex {
  const aliases = new Map<string, IndexMetadata[]>();
  for (const meta of [...indices.values()].filter(hasAliases).sort((a, b) => (a.name < b.name ? -1 : 1))) {
    for (const alias of Object.keys(meta.aliases)) {
      const members = aliases.get(alias);
      if (members) members.push(meta);
      else aliases.set(alias, [meta]);
    }
  }
  return aliases;
}

const hasAliases = (meta: IndexMetadata | undefined): boolean =>
  meta !== undefined && Object.keys(meta.aliases).length > 0;

const indexOf = derivedOf(build, (before, from, to, uuids) =>
  [...uuids].some((uuid) => hasAliases(from.get(uuid)) || hasAliases(to.get(uuid))) ? build(to) : before,
);

/** For each alias its indices, ordered by name. Computed once for each map of indices. */
export const aliasIndex = (state: ClusterState): AliasIndex => indexOf(state.indices);

/** Whether an alias is hidden: all its indices define it as hidden. */
export function aliasIsHidden(members: readonly IndexMetadata[], alias: string): boolean {
  return members.every((meta) => meta.aliases[alias]?.isHidden === true);
}
