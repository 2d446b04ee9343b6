import { type ClusterState, section } from '@shoal/state';
import { selectNames } from '@shoal/values';
import { errors } from '@shoal/errors';
import type { Services } from '../services.js';

/** A registered snapshot repository. */
export interface Repository {
  readonly type: string;
  readonly settings: Readonly<Record<string, unknown>>;
}

/** Registered repositories by name. */
export function repositories(state: ClusterState): Readonly<Record<string, Repository>> {
  return section(state, 'repositories') as Record<string, Repository>;
}

/** Repositories that match names; throws for literal names that do not exist. */
export function selectRepositories(state: ClusterState, names: readonly string[]): [string, Repository][] {
  const all = repositories(state);
  if (names.length === 0 || names.includes('_all')) return Object.entries(all);
  const chosen = new Set(selectNames(Object.keys(all), names));
  const absent = names.find((name) => !name.includes('*') && !chosen.has(name));
  if (absent !== undefined) throw errors.repositoryMissing(`[${absent}] missing`);
  return Object.entries(all).filter(([name]) => chosen.has(name));
}

/** Directories in which repositories may be: `path.repo`. */
export function repositoryRoots(services: Services): readonly string[] {
  const roots = services.node.settings['path.repo'];
  return typeof roots === 'string'
    ? roots
        .split(',')
        .map((root) => root.trim())
        .filter((root) => root !== '')
    : (roots ?? []);
}

/** Directory of a location; a relative location is below the first root. */
export function repositoryFolder(services: Services, location: string): string {
  return location.startsWith('/') ? location : `${repositoryRoots(services)[0] ?? ''}/${location}`;
}

/** Name and directory of an fs repository; throws if it does not exist. */
export function repositoryLocation(services: Services, name: string): { repository: string; folder: string } {
  const repository = repositories(services.cluster.state())[name];
  if (!repository || !Object.hasOwn(repositories(services.cluster.state()), name))
    throw errors.repositoryMissing(`[${name}] missing`);
  return { repository: name, folder: repositoryFolder(services, String(repository.settings['location'])) };
}
