import type { ClusterService } from '@shoal/cluster';
import type { Coordinator } from '@shoal/coordinator';
import type { Clock } from '@shoal/doors';
import { isApiError } from '@shoal/errors';
import { isPlainObject } from '@shoal/json';
import type { Subject } from '@shoal/security';
import { type IndexMetadata, nameIndex, OPEN_ONLY, resolveIndices } from '@shoal/state';
import { deducedTypes, destinationBody, type SourceType } from './destination.js';
import { COPIES_TIMEOUT_MS } from './progress-store.js';
import type { TransformConfig } from './transform-config.js';

interface Doors {
  readonly cluster: ClusterService;
  readonly coordinator: Coordinator;
  readonly clock: Clock;
}

const READ = 'indices:data/read/search';

/** Returns the types of fields of the source that its indices agree on, those of runtime fields first. */
export function sourceTypes(
  { source }: TransformConfig,
  { cluster, coordinator, clock }: Doors,
  subject: Subject,
): SourceType {
  const access = subject.permissions.indexAccess(READ);
  const indices = resolveIndices(cluster.state(), source.index, OPEN_ONLY, access, clock.now());
  return (field) => {
    const runtime = source.runtime[field];
    if (isPlainObject(runtime)) return typeof runtime['type'] === 'string' ? runtime['type'] : null;
    const types = new Set(indices.flatMap((index) => coordinator.mappingOf(index).field(field)?.typeName ?? []));
    return types.size === 1 ? [...types][0]! : null;
  };
}

/** Returns the body of the index that a transform makes if its destination is not there. */
export function generatedIndex(
  config: TransformConfig,
  doors: Doors,
  subject: Subject,
): ReturnType<typeof destinationBody> {
  const types = config.settings.deduceMappings
    ? deducedTypes(config.function, sourceTypes(config, doors, subject))
    : {};
  return destinationBody(config, types, doors.clock.now());
}

/** Makes the destination of a transform unless it is there: an index, an alias or a data stream. */
export async function ensureDestination(config: TransformConfig, doors: Doors, subject: Subject): Promise<void> {
  const { cluster } = doors;
  const state = cluster.state();
  if (nameIndex(state).has(config.dest.index)) return;
  const isAlias = [...state.indices.values()].some((index) => Object.hasOwn(index.aliases, config.dest.index));
  if (isAlias) return;
  requireCreate(config, subject);
  try {
    const body = { name: config.dest.index, body: generatedIndex(config, doors, subject), waitForActiveShards: 'all' };
    await cluster.submit('create-index', body, { timeoutMs: COPIES_TIMEOUT_MS });
  } catch (error) {
    if (!isApiError(error) || error.type !== 'resource_already_exists_exception') throw error;
  }
}

/** Throws unless the maker of a transform may make its destination itself, with the aliases that it gets. */
function requireCreate({ dest }: TransformConfig, { permissions, denied }: Subject): void {
  const require = (action: string, names: readonly string[]): void => {
    const access = permissions.indexAccess(action);
    if (names.some((name) => !access.allows(name))) throw denied(action, names);
  };
  require('indices:admin/create', [dest.index]);
  if (dest.aliases.length > 0)
    require('indices:admin/aliases', [dest.index, ...dest.aliases.map(({ alias }) => alias)]);
}

/** Whether an index was made by a transform, which then may delete it when it is reset. */
export const isMadeByTransform = ({ mapping }: Pick<IndexMetadata, 'mapping'>): boolean => {
  const meta = mapping['_meta'];
  return isPlainObject(meta) && meta['created_by'] === 'transform';
};
