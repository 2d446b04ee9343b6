import { errors } from '@shoal/errors';
import { isPlainObject, tokenOf } from '@shoal/json';
import { readScript, type ScriptSource } from '@shoal/script';
import { checkAutoCreate } from '@shoal/cluster';
import {
  type ClusterState,
  OPEN_ONLY,
  resolveDateMath,
  resolveIndices,
  resolveWriteTarget,
  type IndexAccess,
} from '@shoal/state';
import { parseVersionType } from '../bulk/action-line.js';
import { checkAlias } from '../bulk/resolve-operation.js';
import { validationError } from '../bulk/validate-operation.js';
import { parseRemote } from './remote-source.js';
import type { ByQueryKind, ByQueryRequest, ReindexTarget } from './by-query-request.js';

type Body = Readonly<Record<string, unknown>>;

/** What parameters of the URL say; the body may say more. */
export type ByQueryParameters = Pick<
  ByQueryRequest,
  | 'source'
  | 'routing'
  | 'preference'
  | 'pipeline'
  | 'slices'
  | 'requestsPerSecond'
  | 'refresh'
  | 'timeoutMs'
  | 'waitForActiveShards'
  | 'keepAliveMs'
> & {
  readonly conflicts: string | null;
  readonly maxDocs: number | null;
  readonly scrollSize: number | null;
  readonly requireAlias: boolean;
  /** Patterns `host:port` of clusters that documents may be copied from. */
  readonly remoteHosts: readonly string[];
  /** Members of the body that parameters replace: the query of `q`. */
  readonly overrides: Body;
};

const PAGE_SIZE = 1000;
const PAGE_SIZE_MAX = 10_000;

function parsesConflicts(text: string | null): boolean {
  if (text === null || text === 'abort') return false;
  if (text === 'proceed') return true;
  throw errors.illegalArgument(`conflicts may only be "proceed" or "abort" but was [${text}]`);
}

function textAt(body: Body, key: string, parser: string): string | null {
  const value = body[key];
  if (value === undefined || value === null) return null;
  if (typeof value === 'string') return value;
  throw errors.xContentParse(`[${parser}] ${key} doesn't support values of type: ${tokenOf(value)}`, {
    location: { container: body, key },
  });
}

function objectAt(body: Body, key: string, parser: string): Body {
  const value = body[key];
  if (value === undefined) return {};
  if (isPlainObject(value)) return value;
  throw errors.xContentParse(`[${parser}] ${key} doesn't support values of type: ${tokenOf(value)}`, {
    location: { container: body, key },
  });
}

function refuseUnknown(body: Body, known: readonly string[], parser: string): void {
  const key = Object.keys(body).find((name) => !known.includes(name));
  if (key !== undefined)
    throw errors.xContentParse(`[${parser}] unknown field [${key}]`, { location: { container: body, key, at: 'key' } });
}

/** `max_docs` of the body and of the URL, which have to agree. */
function maxDocsOf(body: Body, parameter: number | null): number | null {
  const own = body['max_docs'];
  if (own !== undefined && (typeof own !== 'number' || !Number.isInteger(own)))
    throw errors.illegalArgument(`Failed to parse int parameter [max_docs] with value [${String(own)}]`);
  const given = own === undefined || own === -1 ? null : (own as number);
  if (given !== null && parameter !== null && given !== parameter)
    throw errors.illegalArgument(`[max_docs] set to two different values [${given}] and [${parameter}]`);
  const maxDocs = given ?? parameter;
  if (maxDocs !== null && maxDocs < 0)
    throw errors.illegalArgument(`[max_docs] parameter cannot be negative, found [${maxDocs}]`);
  return maxDocs;
}

function checkSlices(slices: number | 'auto', maxDocs: number | null, hasSlice: boolean): void {
  if (slices !== 'auto' && slices < 1) throw errors.illegalArgument('[slices] must be at least 1');
  if (slices !== 1 && hasSlice)
    throw validationError(["can't specify both manual and automatic slicing at the same time"]);
  if (slices !== 'auto' && maxDocs !== null && maxDocs < slices)
    throw errors.illegalArgument('[max_docs] should be >= [slices]');
}

function scriptOf(body: Body): ScriptSource | null {
  return body['script'] === undefined || body['script'] === null ? null : readScript(body['script']);
}

/** Members of a search that the calls take, and those that they refuse in words of their own. */
const SEARCH_KEYS = ['query', 'sort', '_source', 'slice', 'runtime_mappings', 'min_score', 'timeout'];
const REFUSED_KEYS = ['from', 'stored_fields'];

/** Refuses members that are none of a search. */
function checkSearchKeys(search: Body): void {
  const key = Object.keys(search).find((name) => !SEARCH_KEYS.includes(name) && !REFUSED_KEYS.includes(name));
  if (key === undefined) return;
  throw errors.parsing(`Unknown key for a ${tokenOf(search[key])} in [${key}].`, {
    location: { container: search, key },
  });
}

/** What is wrong with the members of a search that the calls do not take. */
function searchProblems(search: Body): readonly string[] {
  return [
    ...REFUSED_KEYS.filter((key) => search[key] !== undefined).map((key) => `${key} is not supported in this context`),
    ...(search['_source'] === false ? ['_source:false is not supported in this context'] : []),
  ];
}

function common(kind: ByQueryKind, given: ByQueryParameters, conflicts: string | null, maxDocs: number | null) {
  return {
    kind,
    maxDocs,
    proceedsOnConflict: parsesConflicts(conflicts),
    routing: given.routing,
    preference: given.preference,
    slices: given.slices,
    requestsPerSecond: given.requestsPerSecond,
    refresh: given.refresh,
    timeoutMs: given.timeoutMs,
    waitForActiveShards: given.waitForActiveShards,
    keepAliveMs: given.keepAliveMs,
  };
}

function pageSize(size: unknown): number {
  if (size === undefined || size === null) return PAGE_SIZE;
  if (typeof size === 'string' && !/^\d+$/.test(size)) throw errors.numberFormat(`For input string: "${size}"`);
  if (typeof size !== 'number' || !Number.isInteger(size) || size < 1)
    throw errors.illegalArgument(`[scroll_size] must be an integer of at least 1 but was [${String(size)}]`);
  if (size <= PAGE_SIZE_MAX) return size;
  throw errors.illegalArgument(
    `Batch size is too large, size must be less than or equal to: [${PAGE_SIZE_MAX}] but was [${size}]. Scroll ` +
      'batch sizes cost as much memory as result windows so they are controlled by the [index.max_result_window] ' +
      'index level setting.',
  );
}

/** Parses the body of `_delete_by_query` or `_update_by_query`. Throws ApiErrors in Elasticsearch's words. */
export function parseByQuery(kind: 'delete' | 'update', json: unknown, given: ByQueryParameters): ByQueryRequest {
  const parser = kind === 'delete' ? 'delete_by_query' : 'update_by_query';
  const body: Body = isPlainObject(json) ? json : {};
  const { max_docs: _maxDocs, size, conflicts: _conflicts, script: _script, ...rest } = body;
  checkSearchKeys(kind === 'delete' && body['script'] !== undefined ? { ...rest, script: body['script'] } : rest);
  const search = { ...rest, ...given.overrides };
  if (given.source.names.length === 0)
    throw validationError(['use _all if you really want to copy from all existing indexes']);
  const problems = [
    ...(kind === 'delete' && search['query'] === undefined ? ['query is missing'] : []),
    ...searchProblems(search),
  ];
  if (problems.length > 0) throw validationError(problems);
  const maxDocs = maxDocsOf(body, given.maxDocs);
  checkSlices(given.slices, maxDocs, search['slice'] !== undefined);
  return {
    ...common(kind, given, textAt(body, 'conflicts', parser) ?? given.conflicts, maxDocs),
    source: given.source,
    remote: null,
    search,
    target: null,
    script: kind === 'delete' ? null : scriptOf(body),
    pipeline: given.pipeline,
    pageSize: pageSize(size ?? given.scrollSize),
  };
}

const REINDEX_KEYS = ['source', 'dest', 'script', 'conflicts', 'max_docs', 'size'];
const DEST_KEYS = ['index', 'op_type', 'version_type', 'routing', 'pipeline'];

function targetOf(dest: Body, requireAlias: boolean): ReindexTarget & { readonly pipeline: string | null } {
  refuseUnknown(dest, DEST_KEYS, 'dest');
  const opType = textAt(dest, 'op_type', 'dest') ?? 'index';
  if (opType !== 'index' && opType !== 'create')
    throw errors.illegalArgument(`opType must be 'create' or 'index', found: [${opType}]`);
  const routing = textAt(dest, 'routing', 'dest');
  if (routing !== null && routing !== 'keep' && routing !== 'discard' && !routing.startsWith('='))
    throw validationError(['routing must be unset, [keep], [discard] or [=<some new value>]']);
  const versionType = textAt(dest, 'version_type', 'dest');
  return {
    index: textAt(dest, 'index', 'dest') ?? '',
    opType,
    versionType: versionType === null ? 'internal' : parseVersionType(versionType),
    routing,
    pipeline: textAt(dest, 'pipeline', 'dest'),
    requireAlias,
  };
}

function namesOf(source: Body): readonly string[] {
  const names = source['index'];
  if (names === undefined || names === null) return [];
  if (typeof names === 'string') return names.split(',');
  if (Array.isArray(names) && names.every((name) => typeof name === 'string')) return names;
  throw errors.illegalArgument(`Expected [index] to be a list or a string but got [${tokenOf(names)}]`);
}

/** Refuses `size`, by which 7.x meant `max_docs`. */
function refuseSize(body: Body): void {
  if (body['size'] === undefined) return;
  const cause = errors.illegalArgument('invalid parameter [size], use [max_docs] instead');
  throw errors.xContentParse('[reindex] failed to parse field [size]', {
    cause,
    location: { container: body, key: 'size' },
  });
}

/** Parses the body of `_reindex`. Throws ApiErrors in Elasticsearch's words. */
export function parseReindex(json: unknown, given: ByQueryParameters): ByQueryRequest {
  const body: Body = isPlainObject(json) ? json : {};
  refuseUnknown(body, REINDEX_KEYS, 'reindex');
  refuseSize(body);
  const source = objectAt(body, 'source', 'reindex');
  const { index: _index, remote: _remote, size, ...search } = source;
  checkSearchKeys(search);
  const pages = pageSize(size);
  const conflicts = textAt(body, 'conflicts', 'reindex') ?? given.conflicts;
  parsesConflicts(conflicts);
  const remote = parseRemote(source['remote'], given.remoteHosts);
  const names = namesOf(source);
  const { pipeline, ...target } = targetOf(objectAt(body, 'dest', 'reindex'), given.requireAlias);
  const problems = [
    ...(names.length === 0 ? ['use _all if you really want to copy from all existing indexes'] : []),
    ...(target.index === '' ? ['index must be specified'] : []),
    ...(remote !== null && given.slices !== 'auto' && given.slices > 1
      ? [`reindex from remote sources doesn't support slices > 1 but was [${given.slices}]`]
      : []),
    ...searchProblems(search),
  ];
  if (problems.length > 0) throw validationError(problems);
  const maxDocs = maxDocsOf(body, given.maxDocs);
  checkSlices(given.slices, maxDocs, search['slice'] !== undefined);
  return {
    ...common('reindex', given, conflicts, maxDocs),
    source: { names, options: OPEN_ONLY },
    remote,
    search,
    target,
    script: scriptOf(body),
    pipeline,
    pageSize: pages,
  };
}

/** Refuses a destination that is read from, that may not be created, or that is no alias though it must be one. */
export function checkTarget(request: ByQueryRequest, state: ClusterState, access: IndexAccess, nowMs: number): void {
  const { target, source, remote } = request;
  if (target === null) return;
  if (target.requireAlias) checkAlias(state, target.index, nowMs);
  const known = resolveWriteTarget(state, target.index, nowMs)?.index.name;
  if (known === undefined) checkAutoCreate(state, resolveDateMath(target.index, nowMs));
  if (remote !== null) return;
  const into = known ?? target.index;
  const from = resolveIndices(state, source.names, source.options, access, nowMs);
  if (from.some(({ name }) => name === into))
    throw validationError([`reindex cannot write into an index its reading from [${target.index}]`]);
}
