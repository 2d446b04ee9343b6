import { checkClusterBlocks, grantedNames, type IndexMetadata, type IndicesOptions, requireName, resolveIndices, type SearchTarget, searchTargets, UNRESTRICTED, withExpandWildcards } from '@shoal/cluster';
import { errors, toApiError } from '@shoal/errors';
import type { RestRequest } from '../route.js';
import type { Services } from '../services.js';

/** Parameters of calls that take index expressions. */
export const INDICES_PARAMETERS: readonly string[] = ['expand_wildcards', 'allow_no_indices', 'ignore_unavailable', 'ignore_throttled'];

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
  if (!expand && allowNoIndices === defaults.allowNoIndices && ignoreUnavailable === defaults.ignoreUnavailable) return defaults;
  return { ...(expand ? withExpandWildcards(defaults, expand) : defaults), allowNoIndices, ignoreUnavailable };
}

/** A comma-separated path segment as a list; empty when the path has none. */
export function pathList(request: RestRequest, name: string): string[] {
  const text = request.pathParams[name];
  return text === undefined ? [] : text.split(',').map((part) => part.trim()).filter((part) => part !== '');
}

/** The indices that a request's `{index}` and options name; refused before the first state is known. */
export function selectIndices(request: RestRequest, services: Services, defaults: IndicesOptions): IndexMetadata[] {
  checkClusterBlocks(services.cluster.state(), 'metadata_read');
  return resolveIndices(services.cluster.state(), pathList(request, 'index'), indicesOptions(request, defaults), request.access, services.clock.now());
}

/** The same with what the caller may see of each. */
export function selectTargets(request: RestRequest, services: Services, defaults: IndicesOptions): SearchTarget[] {
  checkClusterBlocks(services.cluster.state(), 'metadata_read');
  return searchTargets(services.cluster.state(), pathList(request, 'index'), indicesOptions(request, defaults), null, request.access, services.clock.now());
}

/** Throws the refusal of names that the caller may not ask for; wildcards are left to resolution. */
export function requireNames(request: RestRequest, services: Services, names: readonly string[], action?: string): void {
  const access = action === undefined ? request.access : request.subject.permissions.indexAccess(action);
  for (const name of names) if (!name.includes('*') && name !== '_all') requireName(services.cluster.state(), access, name, services.clock.now());
}

/** `-1`: as good as no limit; two of them still fit a timer. */
const FOREVER_MS = 1_000_000_000;

function duration(request: RestRequest, name: string): number {
  const ms = request.params.time(name, 30_000);
  return ms < 0 ? FOREVER_MS : ms;
}

/** Refuses a change of indices to callers that see a part of them only. */
export function refuseLimited({ access }: RestRequest, services: Services, metas: Iterable<IndexMetadata>, reason: string): void {
  if (access === UNRESTRICTED) return;
  const state = services.cluster.state();
  for (const meta of metas) if (access.limits(grantedNames(state, meta, [meta.name])) !== null) throw errors.security(reason, { status: 400 });
}

/** How long the request waits for a master. */
export function masterTimeout(request: RestRequest): number {
  return duration(request, 'master_timeout');
}

/** Runs a master task with the request's timeouts and answers with what it says. */
export async function runTask(request: RestRequest, services: Services, task: string, body: unknown): Promise<Record<string, unknown>> {
  return (await services.cluster.submit(task, body, { timeoutMs: duration(request, 'timeout'), masterTimeoutMs: masterTimeout(request) })) as Record<string, unknown>;
}

/** The body as an object; `null` and absent bodies are empty. */
export function objectBody(request: RestRequest): Record<string, unknown> {
  const json = request.json();
  if (json === undefined || json === null) return {};
  if (typeof json !== 'object' || Array.isArray(json)) throw errors.parse('request body must be a JSON object');
  return json as Record<string, unknown>;
}
