import { ownProperty } from '@shoal/json';
import { changedKeys, editMap } from '../edited-map.js';
import { shardOfRows, type ShardRows, shardRows, TextTable } from './routing-json.js';
import type { ClusterState, IndexMetadata, ShardRouting } from '../state.js';

/** Entries of a map or record that are set and removed. */
interface EntriesDiff {
  readonly put?: Readonly<Record<string, unknown>>;
  readonly gone?: readonly string[];
}

/** Changes of index metadata. An index that both states have is sent as its changed fields. */
interface IndicesDiff extends EntriesDiff {
  readonly change?: Readonly<
    Record<string, { readonly set?: Readonly<Record<string, unknown>>; readonly unset?: readonly string[] }>
  >;
}

/** Changes of routing tables: whole tables of new indices, single shards of known ones. */
interface RoutingDiff {
  readonly texts: readonly string[];
  readonly put?: Readonly<Record<string, readonly ShardRows[]>>;
  readonly shards?: Readonly<Record<string, Readonly<Record<string, ShardRows>>>>;
  readonly gone?: readonly string[];
}

/**
 * Difference between a state with uuid `base` and its successor, as plain JSON: the body of a publication and of a
 * record of the state log. Absent parts did not change. Of index metadata it has only the changed fields, of routing
 * tables the changed shards.
 */
export interface StateDiff {
  readonly base: string;
  readonly scalars: Readonly<Record<string, unknown>>;
  readonly nodes?: EntriesDiff;
  readonly indices?: IndicesDiff;
  readonly routing?: RoutingDiff;
  /** Changed entries of each section. */
  readonly customs?: Readonly<Record<string, EntriesDiff>>;
  readonly sectionsGone?: readonly string[];
}

type Table = readonly (readonly ShardRouting[])[];
type Fields = Readonly<Record<string, unknown>>;

const SCALARS = [
  'clusterName',
  'clusterUuid',
  'stateUuid',
  'term',
  'version',
  'masterNodeId',
  'votingConfiguration',
  'blocks',
  'persistentSettings',
  'transientSettings',
] as const;

function goneOf(from: ReadonlyMap<string, unknown>, to: ReadonlyMap<string, unknown>): { gone?: readonly string[] } {
  const gone = [...changedKeys(from, to)].filter((key) => from.has(key) && !to.has(key));
  return gone.length > 0 ? { gone } : {};
}

function filled(name: string, entries: readonly (readonly [string, unknown])[]): Fields {
  return entries.length > 0 ? { [name]: Object.fromEntries(entries) } : {};
}

function orNull<T extends object>(diff: T): T | null {
  return Object.keys(diff).length === 0 ? null : diff;
}

function diffEntries(from: ReadonlyMap<string, unknown>, to: ReadonlyMap<string, unknown>): EntriesDiff | null {
  const put = [...to].filter(([key, value]) => from.get(key) !== value || !from.has(key));
  return orNull({ ...filled('put', put), ...goneOf(from, to) });
}

function diffFields(from: Fields, to: Fields): Fields {
  const set = Object.entries(to).filter(([key, value]) => value !== undefined && ownProperty(from, key) !== value);
  const unset = Object.keys(from).filter(
    (key) => ownProperty(from, key) !== undefined && ownProperty(to, key) === undefined,
  );
  return { ...filled('set', set), ...(unset.length > 0 ? { unset } : {}) };
}

function diffIndices(from: ClusterState['indices'], to: ClusterState['indices']): IndicesDiff | null {
  const put: [string, unknown][] = [];
  const change: [string, unknown][] = [];
  for (const uuid of changedKeys(from, to)) {
    const [old, meta] = [from.get(uuid), to.get(uuid)];
    if (meta === undefined || old === meta) continue;
    if (old) change.push([uuid, diffFields(old as unknown as Fields, meta as unknown as Fields)]);
    else put.push([uuid, meta]);
  }
  return orNull({ ...filled('put', put), ...filled('change', change), ...goneOf(from, to) });
}

function diffShards(from: Table, to: Table, texts: TextTable): Fields {
  return Object.fromEntries(
    to.flatMap((copies, shard) => (copies === from[shard] ? [] : [[String(shard), shardRows(copies, texts)]])),
  );
}

function diffRouting(from: ClusterState['routing'], to: ClusterState['routing']): RoutingDiff | null {
  const texts = new TextTable();
  const put: [string, unknown][] = [];
  const shards: [string, unknown][] = [];
  for (const uuid of changedKeys(from, to)) {
    const [old, table] = [from.get(uuid), to.get(uuid)];
    if (table === undefined || old === table) continue;
    if (old?.length === table.length) shards.push([uuid, diffShards(old, table, texts)]);
    else put.push([uuid, table.map((copies) => shardRows(copies, texts))]);
  }
  const diff = orNull({ ...filled('put', put), ...filled('shards', shards), ...goneOf(from, to) });
  return diff ? { texts: texts.texts, ...diff } : null;
}

function diffCustoms(from: ClusterState, to: ClusterState): Pick<StateDiff, 'customs' | 'sectionsGone'> {
  const changed: [string, EntriesDiff][] = [];
  for (const [name, value] of to.customs) {
    const old = from.customs.get(name);
    if (old === value) continue;
    const diff = diffEntries(new Map(Object.entries(old ?? {})), new Map(Object.entries(value)));
    if (diff ?? !old) changed.push([name, diff ?? {}]);
  }
  const gone = [...from.customs.keys()].filter((name) => !to.customs.has(name));
  return {
    ...(changed.length > 0 ? { customs: Object.fromEntries(changed) } : {}),
    ...(gone.length > 0 ? { sectionsGone: gone } : {}),
  };
}

/**
 * Computes the difference between two states. Entries are compared by identity, of indices and routing tables only
 * those that may have changed.
 */
export function diffState(from: ClusterState, to: ClusterState): StateDiff {
  const scalars = SCALARS.filter((name) => from[name] !== to[name]).map((name) => [name, to[name]] as const);
  const nodes = from.nodes === to.nodes ? null : diffEntries(from.nodes, to.nodes);
  const indices = from.indices === to.indices ? null : diffIndices(from.indices, to.indices);
  const routing = from.routing === to.routing ? null : diffRouting(from.routing, to.routing);
  return {
    base: from.stateUuid,
    scalars: Object.fromEntries(scalars),
    ...(nodes ? { nodes } : {}),
    ...(indices ? { indices } : {}),
    ...(routing ? { routing } : {}),
    ...(from.customs === to.customs ? {} : diffCustoms(from, to)),
  };
}

const applyToMap = <T>(map: ReadonlyMap<string, T>, { put = {}, gone = [] }: EntriesDiff): ReadonlyMap<string, T> =>
  editMap(map, Object.entries(put) as [string, T][], gone);

function applyIndices(indices: ClusterState['indices'], diff: IndicesDiff): ClusterState['indices'] {
  const put = Object.entries(diff.put ?? {}) as [string, IndexMetadata][];
  const changed = Object.entries(diff.change ?? {}).map(([uuid, { set = {}, unset = [] }]) => {
    const kept = Object.entries(indices.get(uuid) ?? {}).filter(([key]) => !unset.includes(key));
    return [uuid, { ...Object.fromEntries(kept), ...set } as unknown as IndexMetadata] as const;
  });
  return editMap(indices, [...put, ...changed], diff.gone);
}

function applyRouting(routing: ClusterState['routing'], diff: RoutingDiff): ClusterState['routing'] {
  const texts = new TextTable(diff.texts);
  const put = Object.entries(diff.put ?? {}).map(
    ([uuid, rows]) => [uuid, rows.map((shard, i) => shardOfRows(shard, uuid, i, texts))] as const,
  );
  const changed = Object.entries(diff.shards ?? {}).map(([uuid, shards]) => {
    const table = [...(routing.get(uuid) ?? [])];
    for (const [shard, rows] of Object.entries(shards))
      table[Number(shard)] = shardOfRows(rows, uuid, Number(shard), texts);
    return [uuid, table] as const;
  });
  return editMap(routing, [...put, ...changed], diff.gone);
}

function applyCustoms(state: ClusterState, diff: StateDiff): ClusterState['customs'] {
  const customs = new Map(state.customs);
  for (const name of diff.sectionsGone ?? []) customs.delete(name);
  for (const [name, entries] of Object.entries(diff.customs ?? {})) {
    const old = new Map(Object.entries(customs.get(name) ?? {}));
    customs.set(name, Object.fromEntries(applyToMap(old, entries)));
  }
  return customs;
}

/**
 * Returns the successor of a state. Unchanged parts keep their identity. `diff.base` must be the uuid of the state; if
 * it is not, the caller requests the whole state instead.
 */
export function applyDiff(state: ClusterState, diff: StateDiff): ClusterState {
  return {
    ...state,
    ...diff.scalars,
    ...(diff.nodes ? { nodes: applyToMap(state.nodes, diff.nodes) } : {}),
    ...(diff.indices ? { indices: applyIndices(state.indices, diff.indices) } : {}),
    ...(diff.routing ? { routing: applyRouting(state.routing, diff.routing) } : {}),
    ...(diff.customs || diff.sectionsGone ? { customs: applyCustoms(state, diff) } : {}),
  };
}
