/** A row of `_cat/shards`. */
export interface ShardRow {
  readonly index: string;
  readonly shard: string;
  readonly prirep: string;
  readonly state: string;
  readonly docs: string | null;
  readonly store: string | null;
  readonly node: string | null;
  readonly 'unassigned.reason': string | null;
}

/** Copies of one index by node; those without a node are under `null`. */
export interface IndexCopies {
  readonly index: string;
  readonly byNode: ReadonlyMap<string | null, readonly ShardRow[]>;
}

/** A copy that moves has `a -> 10.0.0.1 id b` as its node: it is still on the first one. */
const nodeOf = ({ node }: ShardRow): string | null => node?.split(' -> ', 1)[0] ?? null;

/** Names of nodes in order, and the copies of each index by node. */
export function shardMap(rows: readonly ShardRow[]): {
  readonly nodes: readonly (string | null)[];
  readonly indices: readonly IndexCopies[];
} {
  const named = [...new Set(rows.map(nodeOf))].filter((name) => name !== null).sort();
  const hasUnassigned = rows.some((row) => nodeOf(row) === null);
  const byIndex = grouped(rows, ({ index }) => index);
  return {
    nodes: hasUnassigned ? [...named, null] : named,
    indices: [...byIndex].map(([index, copies]) => ({ index, byNode: grouped(copies, nodeOf) })),
  };
}

function grouped<K>(rows: readonly ShardRow[], keyOf: (row: ShardRow) => K): Map<K, ShardRow[]> {
  const groups = new Map<K, ShardRow[]>();
  for (const row of rows) {
    const key = keyOf(row);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [row]);
    else group.push(row);
  }
  return groups;
}

/** `orders 0 primary started`: the name of a copy's button. */
export const copyName = ({ index, shard, prirep, state }: ShardRow): string =>
  `${index} ${shard} ${prirep === 'p' ? 'primary' : 'replica'} ${state.toLowerCase()}`;
