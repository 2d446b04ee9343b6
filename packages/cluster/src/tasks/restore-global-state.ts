import { errors } from '@shoal/errors';
import {
  dataStream,
  type DataStream,
  type FlatSettings,
  nameIndex,
  section,
  validateClusterSetting,
} from '@shoal/state';
import { refreshClusterBlocks } from '../metadata/refresh-blocks.js';
import { withEntry, withSection } from '../metadata/edit-state.js';
import { ACKNOWLEDGED, defineTask } from './task.js';

type Section = Readonly<Record<string, unknown>>;

/** Sections that a snapshot's entries are added to; of all others they take the place. */
const MERGED: ReadonlySet<string> = new Set(['legacyTemplates']);
/** Sections that a snapshot may bring, besides those of features. */
const GLOBAL_SECTIONS: readonly string[] = [
  'componentTemplates',
  'indexTemplates',
  'legacyTemplates',
  'pipelines',
  'storedScripts',
  'lifecyclePolicies',
  'snapshotPolicies',
  'enrichPolicies',
];
/** Sections of features, by the name of the feature. */
const FEATURE_SECTIONS: Readonly<Record<string, readonly string[]>> = { transform: ['transforms'] };
/** Sections whose entries run with the rights of whoever stored them: `authentication` is never in a snapshot. */
const OWNED: ReadonlySet<string> = new Set(['lifecyclePolicies', 'snapshotPolicies', 'transforms']);

/** Sections of the cluster state in a snapshot. */
export function snapshotSections(withGlobal: boolean, features: readonly string[]): readonly string[] {
  return [...(withGlobal ? GLOBAL_SECTIONS : []), ...features.flatMap((name) => FEATURE_SECTIONS[name] ?? [])];
}

const withoutOwner = (entry: unknown): unknown => {
  const { authentication: _, ...rest } = entry as Section;
  return rest;
};

/** Entries of a section as they stand in a snapshot: without who stored them. */
export function sectionForSnapshot(name: string, entries: Section): Section {
  if (!OWNED.has(name)) return entries;
  return Object.fromEntries(Object.entries(entries).map(([key, entry]) => [key, withoutOwner(entry)]));
}

/** Body of `restoreGlobalState`. */
export interface RestoreGlobalStateBody {
  /** Replaces the persistent settings; null leaves them. */
  readonly persistentSettings: FlatSettings | null;
  readonly sections: Readonly<Record<string, Section>>;
  /** Who restores: policies and transforms run with these rights. */
  readonly authentication: unknown;
}

/** The settings of a snapshot that this version knows. */
function known(settings: FlatSettings): FlatSettings {
  const isKnown = ([name, value]: [string, FlatSettings[string]]): boolean => {
    try {
      validateClusterSetting('persistent', name, value ?? null);
      return true;
    } catch {
      return false;
    }
  };
  return Object.fromEntries(Object.entries(settings).filter(isKnown));
}

/** Puts the part of the cluster state that a snapshot has in the place of the present one. */
export const restoreGlobalState = defineTask<RestoreGlobalStateBody>({
  name: 'restore-global-state',
  priority: 'URGENT',
  source: ({ sections }) => `restore_snapshot [${Object.keys(sections).join(',')}]`,
  apply(state, { persistentSettings, sections, authentication }) {
    let next = persistentSettings === null ? state : { ...state, persistentSettings: known(persistentSettings) };
    for (const name of snapshotSections(true, Object.keys(FEATURE_SECTIONS))) {
      if (!Object.hasOwn(sections, name)) continue;
      const given = Object.entries(sections[name]!).map(([key, entry]) => [
        key,
        OWNED.has(name) ? { ...(entry as Section), authentication } : entry,
      ]);
      const before = MERGED.has(name) ? section(state, name) : {};
      next = withSection(next, name, { ...before, ...Object.fromEntries(given) });
    }
    return { state: refreshClusterBlocks(next), answer: ACKNOWLEDGED, reroute: 'all' };
  },
});

/** A data stream to restore, with the names of its restored backing indices, the write index last. */
export interface RestoredStreamBody extends Omit<DataStream, 'indices'> {
  readonly backing: readonly string[];
}

/** Makes data streams of restored indices. Throws snapshot_restore_exception for one that exists. */
export const restoreDataStreams = defineTask<{ readonly streams: readonly RestoredStreamBody[] }>({
  name: 'restore-data-streams',
  priority: 'URGENT',
  source: ({ streams }) => `restore_snapshot [${streams.map(({ name }) => name).join(',')}]`,
  apply(state, { streams }) {
    const names = nameIndex(state);
    const next = streams.reduce((before, { backing, ...stream }) => {
      const indices = backing.flatMap((name) => names.get(name)?.uuid ?? []);
      const existing = dataStream(state, stream.name);
      if (existing?.indices.join() === indices.join()) return before;
      if (existing || names.has(stream.name))
        throw errors.snapshotRestore(`data stream [${stream.name}] cannot be restored: its name is in use`);
      if (indices.length < backing.length)
        throw errors.snapshotRestore(`data stream [${stream.name}] cannot be restored: a backing index was deleted`);
      return withEntry(before, 'dataStreams', stream.name, { ...stream, indices });
    }, state);
    return { state: next, answer: ACKNOWLEDGED };
  },
});
