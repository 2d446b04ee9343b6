import { withoutKeys, withEntry, withSection } from '../metadata/edit-state.js';
import { repositoryInUse, sectionEntry, section } from '@shoal/state';
import { ACKNOWLEDGED, defineTask } from './task.js';

/**
 * Sections of the security layer. Never shown: not in the state that the API returns, nor in snapshots, logs or
 * descriptions of tasks.
 */
export type SecuritySection =
  | 'securityUsers'
  | 'securityRoles'
  | 'securityRoleMappings'
  | 'securityPrivileges'
  | 'securityServiceTokens';

/**
 * Sections with calls of their own: pipelines, stored scripts, repositories, transforms, snapshot policies, and those
 * of the security layer.
 */
export type SectionName =
  | 'pipelines'
  | 'storedScripts'
  | 'repositories'
  | 'snapshots'
  | 'transforms'
  | 'snapshotPolicies'
  | 'snapshotRetention'
  | SecuritySection;

/** Body of `putEntry`. */
export interface PutEntryBody {
  readonly section: SectionName;
  readonly name: string;
  readonly value: unknown;
}

/** Body of `deleteEntries`. */
export interface DeleteEntriesBody {
  readonly section: SectionName;
  /** Names of existing entries: the caller has resolved wildcards and reported missing names. */
  readonly names: readonly string[];
}

/** Describes a task for `pending_tasks`. Tasks on sections of the security layer are described without names. */
function described(verb: string, where: SectionName, names: string): string {
  return where.startsWith('security') ? `${verb}-security` : `${verb}-${where} [${names}]`;
}

/** Writes an entry that the caller has validated. */
export const putEntry = defineTask<PutEntryBody>({
  name: 'put-entry',
  priority: 'NORMAL',
  source: ({ section: where, name }) => described('put', where, name),
  apply: (state, body) => ({ state: withEntry(state, body.section, body.name, body.value), answer: ACKNOWLEDGED }),
});

/** Body of `mergeEntry`. */
export interface MergeEntryBody {
  readonly section: SectionName;
  readonly name: string;
  /** Fields to set; other fields of an existing entry stay. */
  readonly value: Readonly<Record<string, unknown>>;
  /**
   * Condition: the entry must exist (`present`) or not exist (`absent`); null for none. If it fails, nothing changes.
   */
  readonly only: 'present' | 'absent' | null;
}

/** Answer of `mergeEntry`. */
export interface MergeEntryAnswer {
  /** Whether the condition `only` was met. */
  readonly applied: boolean;
  /** Whether the entry was created. */
  readonly created: boolean;
}

/** Sets fields of an entry. Concurrent changes of other fields stay. */
export const mergeEntry = defineTask<MergeEntryBody>({
  name: 'merge-entry',
  priority: 'NORMAL',
  source: ({ section: where, name }) => described('put', where, name),
  apply(state, { section: where, name, value, only }) {
    const known = sectionEntry(state, where, name) as Record<string, unknown> | undefined;
    const answer = (applied: boolean): MergeEntryAnswer => ({ applied, created: applied && known === undefined });
    if ((only === 'present' && known === undefined) || (only === 'absent' && known !== undefined))
      return { state, answer: answer(false) };
    return { state: withEntry(state, where, name, { ...known, ...value }), answer: answer(true) };
  },
});

/** Deletes entries of a section. */
export const deleteEntries = defineTask<DeleteEntriesBody>({
  name: 'delete-entries',
  priority: 'NORMAL',
  source: ({ section: where, names }) => described('delete', where, names.join(',')),
  apply(state, body) {
    const inUse = body.section === 'repositories' ? repositoryInUse(state, body.names) : null;
    if (inUse) throw inUse;
    return {
      state: withSection(state, body.section, withoutKeys(section(state, body.section), new Set(body.names))),
      answer: ACKNOWLEDGED,
    };
  },
});
