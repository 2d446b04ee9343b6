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

/** The options of a request over the call's defaults. */
export function indicesOptions(request: RestRequest, defaults: IndicesOptions): IndicesOptions {
  const expand = request.params.list('expand_wildcards');
  const allowNoIndices = indicesBoolean(request, 'allow_no_indices', defaults.allowNoIndices);
  const ignoreUnavailable = indicesBoolean(request, 'ignore_unavailable', defaults.ignoreUnavailable);
  if (!expand && allowNoIndices === defaults.allowNoIndices && ignoreUnavailable === defaults.ignoreUnavailable)
    return defaults;
  return { ...(expand ? withExpandWildcards(defaults, expand) : defaults), allowNoIndices, ignoreUnavailable };
}

/** A comma-separated path segment as a list; empty when the path has none. */
export function pathList(request: RestRequest, name: string): string[] {
  const text = request.pathParams[name];
  // Blanks cannot be part of a name; other white space can.
  return text === undefined
    ? []
    : text
        .split(',')
        .map((part) => part.replace(/^ +| +$/g, ''))
        .filter((part) => part !== '');
}

/** The indices that a request's `{index}` and options name; refused before the first state is known. */
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

/** The same with what the caller may see of each. */
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

/** Throws the refusal of names that the caller may not ask for; wildcards are left to resolution. */
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
 * Throws the refusal of aliases in a body that describes a new index: who changes an alias has to be allowed to,
 * however it is done.
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

/** `-1`: as good as no limit; two of them still fit a timer. */
const FOREVER_MS = 1_000_000_000;

/** Whether limits show a part of an index: those of an action that is not granted show nothing of it. */
function showPart(limits: ReturnType<RestRequest['access']['limits']>): boolean {
  return limits !== null && [...limits.queries, ...limits.fields].every((list) => list.length > 0);
}

/** Refuses a change of indices to callers that see a part of them only: by the action itself, or in searches. */
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

/** Refuses another name for indices to callers that may do more under that name than they may do to the indices. */
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

/** How long the request waits for a master; `-1`: without a limit. */
export function masterTimeout(request: RestRequest): number {
  const ms = request.params.time('master_timeout', 30_000);
  return ms < 0 ? FOREVER_MS : ms;
}

/**
 * How long the request waits for nodes and copies once its change is made. `-1` does not wait, as in 8.12, so that
 * nobody hangs on copies that have no place.
 */
const changeTimeout = (request: RestRequest): number => Math.max(0, request.params.time('timeout', 30_000));

/** Runs a master task with the request's timeouts and answers with what it says. */
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

/** The body as an object; `null` and absent bodies are empty. */
export function objectBody(request: RestRequest): Record<string, unknown> {
  const json = request.json();
  if (json === undefined || json === null) return {};
  if (typeof json !== 'object' || Array.isArray(json)) throw errors.parse('request body must be a JSON object');
  return json as Record<string, unknown>;
}
