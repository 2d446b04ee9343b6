import type { ClusterService, SecuritySection, TaskAnswers, TaskBodies } from '@shoal/cluster';
import { sectionEntry } from '@shoal/state';

/** Merges an entry into a section of the cluster state. Returns whether it was applied, and whether it is new. */
export async function mergeEntry(
  cluster: ClusterService,
  body: TaskBodies['merge-entry'],
): Promise<TaskAnswers['merge-entry']> {
  return (await cluster.submit('merge-entry', body)) as TaskAnswers['merge-entry'];
}

/** Deletes an entry of a section of the cluster state. Returns whether it existed. */
export async function deleteEntry(cluster: ClusterService, section: SecuritySection, name: string): Promise<boolean> {
  const found = sectionEntry(cluster.state(), section, name) !== undefined;
  if (found) await cluster.submit('delete-entries', { section, names: [name] });
  return found;
}
