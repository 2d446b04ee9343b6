import { type ApiError, errors, renderCause } from '@shoal/errors';

/** A shard that could not be searched. */
export interface SearchFailure {
  /** -1 when the shard is unknown. */
  readonly shard: number;
  readonly index: string | null;
  readonly nodeId: string | null;
  readonly error: ApiError;
}

/** A shard that no node has an active copy of. */
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

/** `{"shard":0,"index":"i","node":"n","reason":{…}}`. */
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

/** One failure for each cause and index, as answers show them. */
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

/** A plain Java exception appears as cause of itself below a search error. */
function doubled(error: ApiError): ApiError {
  const again = errors.illegalArgument(null);
  return Object.assign(Object.create(Object.getPrototypeOf(again) as object), error, { causedBy: error }) as ApiError;
}

/** Some copies were not there at all: nothing failed, nothing answered. */
function isMissing(error: ApiError): boolean {
  return error.type === 'no_shard_available_action_exception';
}

/** The error of a search phase that has no usable answer. */
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
  const cause =
    explicitCause ??
    (first && !first.error.isElastic ? doubled(first.error) : real.length === 0 ? first?.error : undefined);
  return errors.searchPhaseExecution(reason, {
    status,
    meta: { phase, grouped: true, failed_shards: groupFailures(shown) },
    rootCauses: rootCauses(real.length > 0 ? real : failures.slice(0, 1)),
    ...(cause ? { cause } : {}),
  });
}

/** The error for an id whose context is gone everywhere, or is that of somebody else: the answer does not say which. */
export function contextMissing(id: string, isOfAnother = false): ApiError {
  const error = errors.searchContextMissing(`No search context found for id [${id}]`);
  return errors.searchPhaseExecution('all shards failed', {
    status: 404,
    meta: { phase: 'query', grouped: true, failed_shards: [{ shard: -1, index: null, reason: renderCause(error) }] },
    rootCauses: [error],
    cause: error,
    ...(isOfAnother ? { isTampered: true } : {}),
  });
}
