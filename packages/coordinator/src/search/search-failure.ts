import { type ApiError, errors, renderCause } from '@shoal/errors';

/** The failure of one shard. */
export interface SearchFailure {
  /** Number of the shard; -1 if unknown. */
  readonly shard: number;
  readonly index: string | null;
  readonly nodeId: string | null;
  readonly error: ApiError;
}

/** Makes the failure of a shard without an active copy. */
export function noCopy({
  indexName: index,
  indexUuid,
  shard,
}: {
  readonly indexName: string;
  readonly indexUuid: string;
  readonly shard: number;
}): SearchFailure {
  const error = errors.noShardAvailable(null, { meta: { index_uuid: indexUuid, shard: String(shard), index } });
  return { shard, index, nodeId: null, error };
}

/** Sorts failures, by the number of their target, into the order of the shards. */
export function inOrder(failures: ReadonlyMap<number, SearchFailure>): readonly SearchFailure[] {
  return [...failures].sort(([a], [b]) => a - b).map(([, failure]) => failure);
}

/** Renders a failure: `{"shard":0,"index":"i","node":"n","reason":{…}}`. */
function failureJson(failure: SearchFailure): Record<string, unknown> {
  return {
    shard: failure.shard,
    index: failure.index,
    ...(failure.nodeId === null ? {} : { node: failure.nodeId }),
    reason: renderCause(failure.error),
  };
}

function causeKey(failure: SearchFailure): string {
  return `${failure.index}\n${failure.error.type}\n${failure.error.reason}`;
}

/** Groups failures by cause and index, as answers show them. */
export function groupFailures(failures: readonly SearchFailure[]): readonly Record<string, unknown>[] {
  const groups = new Map<string, SearchFailure>();
  for (const failure of failures) if (!groups.has(causeKey(failure))) groups.set(causeKey(failure), failure);
  return [...groups.values()].map(failureJson);
}

function rootOf(error: ApiError): ApiError {
  let root = error;
  while (root.causedBy?.isElastic) root = root.causedBy;
  return root;
}

function rootCauses(failures: readonly SearchFailure[]): ApiError[] {
  const roots = new Map<string, ApiError>();
  for (const failure of failures) {
    const root = rootOf(failure.error);
    const key = causeKey({ ...failure, error: root });
    if (!roots.has(key)) roots.set(key, root);
  }
  return [...roots.values()];
}

/** Makes a plain Java exception the cause of itself, as Elasticsearch shows it below a search error. */
function doubled(error: ApiError): ApiError {
  const again = errors.illegalArgument(null);
  return Object.assign(Object.create(Object.getPrototypeOf(again) as object), error, { causedBy: error }) as ApiError;
}

/** Returns what is shown as the cause of a search error: the root of its first failure, unless that is the failure. */
function shownCause(error: ApiError): ApiError | undefined {
  if (!error.isElastic) return doubled(error);
  const root = rootOf(error);
  return root === error ? undefined : root;
}

/** Whether a shard had no copy to ask. */
function isMissing(error: ApiError): boolean {
  return error.type === 'no_shard_available_action_exception';
}

/** Makes the error of a search phase without a usable answer. */
export function searchPhaseError(
  phase: string,
  reason: string,
  failures: readonly SearchFailure[],
  explicitCause?: ApiError,
): ApiError {
  const real = failures.filter((failure) => !isMissing(failure.error));
  const shown = real.length > 0 ? real : [];
  const [first] = real.length > 0 ? real : failures;
  const status = real.length > 0 ? Math.max(...real.map((failure) => failure.error.status)) : 503;
  const cause = explicitCause ?? (real.length === 0 ? first?.error : first && shownCause(first.error));
  return errors.searchPhaseExecution(reason, {
    status,
    meta: { phase, grouped: true, failed_shards: groupFailures(shown) },
    rootCauses: rootCauses(real.length > 0 ? real : failures.slice(0, 1)),
    ...(cause ? { cause } : {}),
  });
}

/**
 * Makes the error of an id whose context is not found or belongs to another user, for each of its shards. The answer
 * does not tell which.
 */
export function contextMissing(id: string, shards: number, isOfAnother = false): ApiError {
  const error = errors.searchContextMissing(`No search context found for id [${id}]`);
  const failed = Array.from({ length: Math.max(1, shards) }, () => error);
  return errors.searchPhaseExecution('all shards failed', {
    status: 404,
    meta: {
      phase: 'query',
      grouped: true,
      failed_shards: failed.map(() => ({ shard: -1, index: null, reason: renderCause(error) })),
    },
    rootCauses: failed,
    cause: error,
    ...(isOfAnother ? { isTampered: true } : {}),
  });
}
