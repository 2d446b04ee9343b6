import { withoutKeys, sectionEntry, section, withEntry, withSection } from '@shoal/state';
import { ACKNOWLEDGED, defineTask } from './task.js';

/**
 * Sections of the security layer. They are never shown: not in the state that the API answers, nor in snapshots, logs
 * or descriptions of tasks.
 */
export type SecuritySection =
  | 'securityUsers'
  | 'securityRoles'
  | 'securityRoleMappings'
  | 'securityPrivileges'
  | 'securityServiceTokens';

/** Sections that calls of their own fill: pipelines, stored scripts, snapshot repositories, and what security keeps. */
export type SectionName = 'pipelines' | 'storedScripts' | 'repositories' | 'snapshots' | SecuritySection;

export interface PutEntryBody {
  readonly section: SectionName;
  readonly name: string;
  readonly value: unknown;
}

export interface DeleteEntriesBody {
  readonly section: SectionName;
  /** Names that exist: the caller resolved wildcards and reported what is missing. */
  readonly names: readonly string[];
}

/** `security*` sections are told by kind only. */
function described(verb: string, where: SectionName, names: string): string {
  return where.startsWith('security') ? `${verb}-security` : `${verb}-${where} [${names}]`;
}

/** Stores an entry that its caller has validated. */
export const putEntry = defineTask<PutEntryBody>({
  name: 'put-entry',
  priority: 'NORMAL',
  source: ({ section: where, name }) => described('put', where, name),
  apply: (state, body) => ({ state: withEntry(state, body.section, body.name, body.value), answer: ACKNOWLEDGED }),
});

export interface MergeEntryBody {
  readonly section: SectionName;
  readonly name: string;
  /** Fields that are set; others of an entry that exists stay as they are. */
  readonly value: Readonly<Record<string, unknown>>;
  /** Leaves the state as it is unless there is such an entry already, or none yet. */
  readonly only: 'present' | 'absent' | null;
}

export interface MergeEntryAnswer {
  /** False when `only` did not hold. */
  readonly applied: boolean;
  /** Whether the entry is new. */
  readonly created: boolean;
}

/** Sets fields of an entry; what others changed of it meanwhile stays. */
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

export const deleteEntries = defineTask<DeleteEntriesBody>({
  name: 'delete-entries',
  priority: 'NORMAL',
  source: ({ section: where, names }) => described('delete', where, names.join(',')),
  apply: (state, body) => ({
    state: withSection(state, body.section, withoutKeys(section(state, body.section), new Set(body.names))),
    answer: ACKNOWLEDGED,
  }),
});
