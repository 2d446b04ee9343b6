import type { ClusterService } from '@shoal/cluster';
import type { Coordinator } from '@shoal/coordinator';
import type { Clock } from '@shoal/doors';
import { isApiError } from '@shoal/errors';
import { isPlainObject } from '@shoal/json';
import type { Subject } from '@shoal/security';
import { nameIndex, OPEN_ONLY, resolveIndices } from '@shoal/state';
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
  try {
    const body = { name: config.dest.index, body: generatedIndex(config, doors, subject), waitForActiveShards: 'all' };
    await cluster.submit('create-index', body, { timeoutMs: COPIES_TIMEOUT_MS });
  } catch (error) {
    if (!isApiError(error) || error.type !== 'resource_already_exists_exception') throw error;
  }
}
