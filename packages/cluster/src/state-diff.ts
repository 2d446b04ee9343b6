import type { ClusterState } from './state.js';
import { own } from './own.js';

/** Entries put and removed of a map or record. */
interface EntriesDiff {
  readonly put?: Readonly<Record<string, unknown>>;
  readonly gone?: readonly string[];
}

/**
 * What to change in a state with `base` to get its successor; plain JSON, the body of a publication and of a record of the
 * state log. Parts that are absent stay as they are, entries are whole: one changed field sends its index's metadata.
 */
export interface StateDiff {
  readonly base: string;
  readonly scalars: Readonly<Record<string, unknown>>;
  readonly nodes?: EntriesDiff;
  readonly indices?: EntriesDiff;
  readonly routing?: EntriesDiff;
  /** By section: its entries. */
  readonly customs?: Readonly<Record<string, EntriesDiff>>;
  readonly sectionsGone?: readonly string[];
}

const SCALARS = ['clusterName', 'clusterUuid', 'stateUuid', 'term', 'version', 'masterNodeId', 'blocks', 'persistentSettings', 'transientSettings'] as const;
const MAPS = ['nodes', 'indices', 'routing'] as const;

function diffEntries(from: Iterable<[string, unknown]>, to: ReadonlyMap<string, unknown>): EntriesDiff | null {
  const old = new Map(from);
  const put = [...to].filter(([key, value]) => old.get(key) !== value || !old.has(key));
  const gone = [...old.keys()].filter((key) => !to.has(key));
  if (put.length === 0 && gone.length === 0) return null;
  return { ...(put.length > 0 ? { put: Object.fromEntries(put) } : {}), ...(gone.length > 0 ? { gone } : {}) };
}

function diffCustoms(from: ClusterState, to: ClusterState): Pick<StateDiff, 'customs' | 'sectionsGone'> {
  const changed: [string, EntriesDiff][] = [];
  for (const [name, value] of to.customs) {
    const old = from.customs.get(name);
    if (old === value) continue;
    const diff = diffEntries(Object.entries(old ?? {}), new Map(Object.entries(value)));
    if (diff ?? !old) changed.push([name, diff ?? {}]);
  }
  const gone = [...from.customs.keys()].filter((name) => !to.customs.has(name));
  return {
    ...(changed.length > 0 ? { customs: Object.fromEntries(changed) } : {}),
    ...(gone.length > 0 ? { sectionsGone: gone } : {}),
  };
}

/** The difference between two states; compares entries by identity, so it costs one comparison an unchanged entry. */
export function diffState(from: ClusterState, to: ClusterState): StateDiff {
  const scalars = SCALARS.filter((name) => from[name] !== to[name]).map((name) => [name, to[name]] as const);
  const maps = MAPS.flatMap((name) => {
    const diff = from[name] === to[name] ? null : diffEntries(from[name] as ReadonlyMap<string, unknown>, to[name]);
    return diff ? [[name, diff] as const] : [];
  });
  return {
    base: from.stateUuid,
    scalars: Object.fromEntries(scalars),
    ...Object.fromEntries(maps),
    ...(from.customs === to.customs ? {} : diffCustoms(from, to)),
  };
}

function applyToMap(map: ReadonlyMap<string, unknown>, diff: EntriesDiff): Map<string, unknown> {
  const result = new Map(map);
  for (const key of diff.gone ?? []) result.delete(key);
  for (const [key, value] of Object.entries(diff.put ?? {})) result.set(key, value);
  return result;
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

/** The successor of a state. `diff.base` must be the state's uuid: the caller asks for the whole state when it is not. */
export function applyDiff(state: ClusterState, diff: StateDiff): ClusterState {
  const next: Record<string, unknown> = { ...state, ...diff.scalars };
  for (const name of MAPS) {
    const entries = own(diff as unknown as Record<string, EntriesDiff | undefined>, name);
    if (entries) next[name] = applyToMap(state[name] as ReadonlyMap<string, unknown>, entries);
  }
  if (diff.customs || diff.sectionsGone) next['customs'] = applyCustoms(state, diff);
  return next as unknown as ClusterState;
}
