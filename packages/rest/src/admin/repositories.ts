import {
  registeredPlace,
  repositories,
  type Repository,
  type RepositoryPlace,
  repositoryPlace,
} from '@shoal/coordinator';
import { errors } from '@shoal/errors';
import type { ClusterState } from '@shoal/state';
import { selectNames } from '@shoal/values';
import type { Services } from '../services.js';

/** Repositories that match names; throws for literal names that do not exist. */
export function selectRepositories(state: ClusterState, names: readonly string[]): [string, Repository][] {
  const all = repositories(state);
  if (names.length === 0 || names.includes('_all')) return Object.entries(all);
  const chosen = new Set(selectNames(Object.keys(all), names));
  const absent = names.find((name) => !name.includes('*') && !chosen.has(name));
  if (absent !== undefined) throw errors.repositoryMissing(`[${absent}] missing`);
  return Object.entries(all).filter(([name]) => chosen.has(name));
}

/** As `repositoryPlace` of the coordinator, by the settings of this node. */
export function placeOf(services: Services, name: string, repository: Repository): RepositoryPlace {
  return repositoryPlace(services.node.settings, name, repository);
}

/** Where a registered repository keeps its files; throws if it does not exist. */
export function repositoryLocation(services: Services, name: string): RepositoryPlace {
  return registeredPlace(services.cluster.state(), services.node.settings, name);
}
