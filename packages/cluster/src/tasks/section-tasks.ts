import { without } from '../own.js';
import { section, withEntry, withSection } from '../state-edit.js';
import { ACKNOWLEDGED, defineTask } from './task.js';

/** Sections that calls of their own fill: pipelines, stored scripts, snapshot repositories. */
export type SectionName = 'pipelines' | 'storedScripts' | 'repositories' | 'snapshots';

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
  source: ({ section: where, name }) => `put-${where} [${name}]`,
  apply: (state, body) => ({ state: withEntry(state, body.section, body.name, body.value), answer: ACKNOWLEDGED }),
});

export const deleteEntries = defineTask<DeleteEntriesBody>({
  name: 'delete-entries',
  priority: 'NORMAL',
  source: ({ section: where, names }) => `delete-${where} [${names.join(',')}]`,
  apply: (state, body) => ({
    state: withSection(state, body.section, without(section(state, body.section), new Set(body.names))),
    answer: ACKNOWLEDGED,
  }),
});
