import type { SecuritySection } from '@shoal/cluster';
import { sectionEntry } from '@shoal/state';
import type { RestResponse } from '../routing/route.js';
import type { Services } from '../services.js';

/** Deletes an entry of the security configuration; answers `{found}`, with 404 if it does not exist. */
export async function deleteEntry(
  { cluster }: Services,
  section: SecuritySection,
  name: string,
): Promise<RestResponse> {
  const found = sectionEntry(cluster.state(), section, name) !== undefined;
  if (found) await cluster.submit('delete-entries', { section, names: [name] });
  return { status: found ? 200 : 404, json: { found } };
}
