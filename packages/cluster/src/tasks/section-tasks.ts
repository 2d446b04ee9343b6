import { without } from '../own.js';
import { section, withEntry, withSection } from '../state-edit.js';
import { ACKNOWLEDGED, defineTask } from './task.js';

/** Sections of the security room; no call shows them. */
type SecuritySection = 'securityUsers' | 'securityRoles' | 'securityRoleMappings' | 'securityPrivileges' | 'securityServiceTokens';

/** Sections that calls of their own fill: pipelines, stored scripts, snapshot repositories, what the security room keeps. */
export type SectionName = 'pipelines' | 'storedScripts' | 'repositories' | 'snapshots' | SecuritySection;

/** How pending tasks name entries of a section: those of the security room are not shown. */
function shown(where: SectionName, names: string): string {
  return where.startsWith('security') ? '' : ` [${names}]`;
}

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

/** Stores an entry that its caller has validated. */
export const putEntry = defineTask<PutEntryBody>({
  name: 'put-entry',
  priority: 'NORMAL',
  source: ({ section: where, name }) => `put-${where}${shown(where, name)}`,
  apply: (state, body) => ({ state: withEntry(state, body.section, body.name, body.value), answer: ACKNOWLEDGED }),
});

export const deleteEntries = defineTask<DeleteEntriesBody>({
  name: 'delete-entries',
  priority: 'NORMAL',
  source: ({ section: where, names }) => `delete-${where}${shown(where, names.join(','))}`,
  apply: (state, body) => ({
    state: withSection(state, body.section, without(section(state, body.section), new Set(body.names))),
    answer: ACKNOWLEDGED,
  }),
});
