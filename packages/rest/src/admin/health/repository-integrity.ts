import { repositories } from '@shoal/coordinator';
import type { Indicator } from './indicator.js';

/** Indicator `repository_integrity`: the number of repositories; always green. */
export const repositoryIntegrity: Indicator = ({ services }) => {
  const count = Object.keys(repositories(services.cluster.state())).length;
  if (count === 0) return { status: 'green', symptom: 'No snapshot repositories configured.' };
  return { status: 'green', symptom: 'No corrupted snapshot repositories.', details: { total_repositories: count } };
};
