import {
  checkClusterBlocks,
  grantedNames,
  type IndexMetadata,
  type IndicesOptions,
  requireName,
  resolveDateMath,
  resolveIndices,
  type SearchTarget,
  searchTargets,
  UNRESTRICTED,
  withExpandWildcards,
} from '@shoal/state';
import { errors, toApiError } from '@shoal/errors';
import { isPlainObject } from '@shoal/json';
import { privilegesCover } from '@shoal/security';
import type { RestRequest } from '../routing/route.js';
import type { Services } from '../services.js';

/** Parameters of calls that take index expressions. */
export const INDICES_PARAMETERS: readonly string[] = [
  'expand_wildcards',
  'allow_no_indices',
  'ignore_unavailable',
  'ignore_throttled',
];

/** Parameters of calls that change the cluster state. */
export const MASTER_PARAMETERS: readonly string[] = ['master_timeout', 'timeout'];

/** Parameters of calls that read the cluster state. */
export const READ_PARAMETERS: readonly string[] = ['master_timeout', 'local'];

function indicesBoolean(request: RestRequest, name: string, fallback: boolean): boolean {
  try {
    return request.params.boolean(name, fallback);
  } catch (error) {
    throw errors.illegalArgument(`Could not convert [${name}] to boolean`, { cause: toApiError(error) });
  }
}

/** The indices options of a request; `defaults` are the call's. */
export function indicesOptions(request: RestRequest, defaults: IndicesOptions): IndicesOptions {
  const expand = request.params.list('expand_wildcards');
  const allowNoIndices = indicesBoolean(request, 'allow_no_indices', defaults.allowNoIndices);
  const ignoreUnavailable = indicesBoolean(request, 'ignore_unavailable', defaults.ignoreUnavailable);
  if (!expand && allowNoIndices === defaults.allowNoIndices && ignoreUnavailable === defaults.ignoreUnavailable)
    return defaults;
  return { ...(expand ? withExpandWildcards(defaults, expand) : defaults), allowNoIndices, ignoreUnavailable };
}

/** Splits a comma-separated path segment; empty if the path has none. */
export function pathList(request: RestRequest, name: string): string[] {
  const text = request.pathParams[name];
  // Spaces cannot be part of a name, other white space can.
  return text === undefined
    ? []
    : text
        .split(',')
        .map((part) => part.replace(/^ +| +$/g, ''))
        .filter((part) => part !== '');
}

/** Indices that `{index}` and the options of a request select; throws before the first cluster state is known. */
export function selectIndices(request: RestRequest, services: Services, defaults: IndicesOptions): IndexMetadata[] {
  checkClusterBlocks(services.cluster.state(), 'metadata_read');
  return resolveIndices(
    services.cluster.state(),
    pathList(request, 'index'),
    indicesOptions(request, defaults),
    request.access,
    services.clock.now(),
  );
}

/** Like `selectIndices`, with what the caller may see of each index. */
export function selectTargets(request: RestRequest, services: Services, defaults: IndicesOptions): SearchTarget[] {
  checkClusterBlocks(services.cluster.state(), 'metadata_read');
  return searchTargets(
    services.cluster.state(),
    pathList(request, 'index'),
    indicesOptions(request, defaults),
    null,
    request.access,
    services.clock.now(),
  );
}

/** Throws if the caller may not use one of the literal names; wildcards are checked when they are resolved. */
export function requireNames(
  request: RestRequest,
  services: Services,
  names: readonly string[],
  action?: string,
): void {
  const access = action === undefined ? request.access : request.subject.permissions.indexAccess(action);
  for (const name of names)
    if (!name.includes('*') && name !== '_all')
      requireName(services.cluster.state(), access, name, services.clock.now());
}

/**
 * Throws if the body of a new index names aliases that the caller may not create. Otherwise creating an index would be
 * a way around the privileges of the aliases API.
 */
export function requireAliases(
  request: RestRequest,
  services: Services,
  index: readonly string[],
  aliases: unknown,
): void {
  const names = isPlainObject(aliases) ? Object.keys(aliases) : [];
  if (names.length > 0) requireNames(request, services, [...index, ...names], 'indices:admin/aliases');
}

/** Stands for `-1`, no limit. The sum of two such times still fits into a timer. */
const FOREVER_MS = 1_000_000_000;

/**
 * Whether limits show a part of an index. The limits of an action that is not granted contain an empty list and show
 * nothing.
 */
function showPart(limits: ReturnType<RestRequest['access']['limits']>): boolean {
  return limits !== null && [...limits.queries, ...limits.fields].every((list) => list.length > 0);
}

/** Refuses a change of indices of which the caller sees only a part, by this action or in searches. */
export function refuseLimited(
  { access, subject }: RestRequest,
  services: Services,
  metas: Iterable<IndexMetadata>,
  reason: string,
): void {
  if (access === UNRESTRICTED) return;
  const state = services.cluster.state();
  const searches = subject.permissions.indexAccess('indices:data/read/search');
  for (const meta of metas) {
    const names = grantedNames(state, meta, [meta.name]);
    if (access.limits(names) !== null || showPart(searches.limits(names)))
      throw errors.security(reason, { status: 400 });
  }
}

/** Refuses an additional name for indices if the caller has more privileges on that name than on the indices. */
export function refuseWidening(
  { access, subject }: RestRequest,
  services: Services,
  metas: Iterable<IndexMetadata>,
  names: readonly string[],
  reason: string,
): void {
  if (access === UNRESTRICTED) return;
  const state = services.cluster.state();
  const wanted = names.map((name) => resolveDateMath(name, services.clock.now()));
  for (const meta of metas) {
    const held = grantedNames(state, meta, [meta.name]);
    if (!wanted.every((name) => privilegesCover(subject.permissions, held, name))) throw errors.security(reason);
  }
}

/** `master_timeout` in milliseconds; `-1` means no limit. */
export function masterTimeout(request: RestRequest): number {
  const ms = request.params.time('master_timeout', 30_000);
  return ms < 0 ? FOREVER_MS : ms;
}

/**
 * `timeout` in milliseconds: how long to wait for nodes and copies after the change is committed. `-1` does not wait,
 * as in 8.12, so that no request waits for copies that cannot be assigned.
 */
const changeTimeout = (request: RestRequest): number => Math.max(0, request.params.time('timeout', 30_000));

/** Submits a master task with the request's timeouts; returns its result. */
export async function runTask(
  request: RestRequest,
  services: Services,
  task: string,
  body: unknown,
): Promise<Record<string, unknown>> {
  return (await services.cluster.submit(task, body, {
    timeoutMs: changeTimeout(request),
    masterTimeoutMs: masterTimeout(request),
  })) as Record<string, unknown>;
}

/** The body as an object; empty for `null` and for an absent body. */
export function objectBody(request: RestRequest): Record<string, unknown> {
  const json = request.json();
  if (json === undefined || json === null) return {};
  if (typeof json !== 'object' || Array.isArray(json)) throw errors.parse('request body must be a JSON object');
  return json as Record<string, unknown>;
}
