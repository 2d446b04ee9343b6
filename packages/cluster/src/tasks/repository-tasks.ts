import { errors } from '@shoal/errors';
import { type ClusterState, sectionEntry } from '@shoal/state';
import { withEntry } from '../metadata/edit-state.js';
import { ACKNOWLEDGED, defineTask } from './task.js';

const SECTION = 'repositoryChanges';

/** The last change of a snapshot repository, by its folder. */
interface RepositoryChange {
  readonly number: number;
  readonly isDone: boolean;
}

const lastChange = (state: ClusterState, folder: string): RepositoryChange | undefined =>
  sectionEntry(state, SECTION, folder) as RepositoryChange | undefined;

/**
 * Work that outlives the time of its master must not change a repository. Story: master n1 is stopped while it writes
 * a catalog; n2 is elected and takes a snapshot; n1 wakes and goes on.
 */
function checkMaster({ masterNodeId }: ClusterState, nodeId: string): void {
  if (masterNodeId !== nodeId)
    throw errors.illegalState('the master has changed while a snapshot repository was changed');
}

/** Body of `beginRepositoryChange`. */
export interface BeginRepositoryChangeBody {
  readonly folder: string;
  /** The master that changes the repository. */
  readonly nodeId: string;
  /** Number of the newest catalog in the repository; other clusters may have written it. */
  readonly above: number;
}

/** Answer of `beginRepositoryChange`. */
export interface BeginRepositoryChangeAnswer {
  /** Number that no change of the repository had before. */
  readonly number: number;
}

/** Gives a change of a snapshot repository its number. */
export const beginRepositoryChange = defineTask<BeginRepositoryChangeBody>({
  name: 'begin-repository-change',
  priority: 'NORMAL',
  source: ({ folder }) => `begin-repository-change [${folder}]`,
  apply(state, { folder, nodeId, above }) {
    checkMaster(state, nodeId);
    const number = Math.max(lastChange(state, folder)?.number ?? 0, above) + 1;
    const answer: BeginRepositoryChangeAnswer = { number };
    return { state: withEntry(state, SECTION, folder, { number, isDone: false }), answer };
  },
});

/** Body of `endRepositoryChange`. */
export interface EndRepositoryChangeBody {
  readonly folder: string;
  readonly nodeId: string;
  readonly number: number;
}

/** Confirms that a change was made while no other one was begun. Throws illegal_state_exception otherwise. */
export const endRepositoryChange = defineTask<EndRepositoryChangeBody>({
  name: 'end-repository-change',
  priority: 'NORMAL',
  source: ({ folder }) => `end-repository-change [${folder}]`,
  apply(state, { folder, nodeId, number }) {
    checkMaster(state, nodeId);
    if (lastChange(state, folder)?.number !== number)
      throw errors.illegalState('another change of the snapshot repository was begun meanwhile');
    return { state: withEntry(state, SECTION, folder, { number, isDone: true }), answer: ACKNOWLEDGED };
  },
});
