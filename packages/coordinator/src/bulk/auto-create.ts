import { requireName } from '@shoal/state';
import { type ApiError, toApiError } from '@shoal/errors';
import { ACTIONS } from '../access.js';
import type { CoordinatorContext } from '../context.js';
import { indexToCreate, type WriteRights } from './resolve-operation.js';
import type { WriteOperation } from './write-request.js';

/** Creates the missing indices that writes name. Returns the names that could not be created with their errors. */
export async function createMissingIndices(
  context: CoordinatorContext,
  operations: readonly WriteOperation[],
  timeoutMs: number,
  rights: WriteRights | null,
): Promise<ReadonlyMap<string, ApiError>> {
  const failed = new Map<string, ApiError>();
  const state = context.cluster.state();
  const names = new Set<string>();
  const known = new Set<string>();
  for (const operation of operations) {
    if (known.has(operation.index)) continue;
    const name = indexToCreate(state, operation, context.clock.now());
    if (name === null) {
      if (!operation.requireAlias && operation.op !== 'delete') known.add(operation.index);
    } else names.add(name);
  }
  const created = rights === null ? [...names] : [...names].filter((name) => mayCreate(context, name, rights, failed));
  await Promise.all(created.map((name) => createIndex(context, name, timeoutMs, failed)));
  return failed;
}

function mayCreate(
  context: CoordinatorContext,
  name: string,
  { subject }: WriteRights,
  failed: Map<string, ApiError>,
): boolean {
  try {
    requireName(
      context.cluster.state(),
      subject.permissions.indexAccess(ACTIONS.autoCreate),
      name,
      context.clock.now(),
    );
    return true;
  } catch (error) {
    failed.set(name, toApiError(error));
    return false;
  }
}

async function createIndex(
  context: CoordinatorContext,
  name: string,
  timeoutMs: number,
  failed: Map<string, ApiError>,
): Promise<void> {
  try {
    await context.cluster.submit('auto-create-index', { index: name }, { timeoutMs });
  } catch (thrown) {
    const error = toApiError(thrown);
    if (error.type !== 'resource_already_exists_exception') failed.set(name, error);
  }
}
