import { type ApiError, errors } from '@shoal/errors';
import { dataStream, dataStreams } from '../indices/data-streams.js';
import { resolveDateMath } from '../names/date-math-name.js';
import { invalidIndexName } from '../names/index-name.js';
import { matchesWildcard } from '@shoal/values';
import { isTrue } from '../settings/index-settings.js';
import type { ClusterState, IndexMetadata } from '../state.js';
import { nameIndex } from '../edit.js';
import { aliasIndex, aliasIsHidden } from './alias-index.js';
import { allowsIndex, allowsName } from './allows-name.js';
import { type IndexAccess, UNRESTRICTED } from './index-access.js';
import type { IndicesOptions } from './indices-options.js';

/** Makes index_not_found_exception; `suffix` follows the name in its reason. */
export function noSuchIndex(name: string, suffix = ''): ApiError {
  const meta = { 'resource.type': 'index_or_alias', 'resource.id': name, index_uuid: '_na_', index: name };
  return errors.indexNotFound(`no such index [${name}]${suffix}`, { meta });
}

/** Makes index_closed_exception. */
export function indexClosed(meta: IndexMetadata): ApiError {
  return errors.indexClosed('closed', { meta: { index_uuid: meta.uuid, index: meta.name } });
}

/** Whether expressions name all indices: none at all, `_all`, or a single `*`. */
export function isAllIndices(expressions: readonly string[]): boolean {
  return expressions.length === 0 || (expressions.length === 1 && ['', '_all', '*'].includes(expressions[0]!));
}

/** What one name of a resolution stands for. */
interface NamedMatch {
  readonly metas: readonly IndexMetadata[];
  /** Names by which the request asks for it: its own, or those of aliases and data streams that a wildcard matched. */
  readonly askedBy: Set<string>;
}

interface Resolution {
  readonly state: ClusterState;
  readonly options: IndicesOptions;
  readonly access: IndexAccess;
  /** Whether wildcards add aliases and data streams under their own names instead of the names of their indices. */
  readonly keepsAliases: boolean;
  readonly found: Map<string, NamedMatch>;
  /** Closed indices that were named and are not allowed: the error comes after that of a missing name. */
  readonly closed: IndexMetadata[];
}

function stateMatches(meta: IndexMetadata, options: IndicesOptions): boolean {
  return meta.state === 'open' ? options.expandOpen : options.expandClosed;
}

/**
 * Whether a pattern may match a name that is perhaps hidden. Hidden names match if both name and pattern start with a
 * dot.
 */
export function visible(hidden: boolean, name: string, pattern: string, options: IndicesOptions): boolean {
  return !hidden || options.expandHidden || (pattern.startsWith('.') && name.startsWith('.'));
}

/** Name of an index, an alias or a data stream with its indices. */
interface Abstraction {
  readonly name: string;
  readonly isIndex: boolean;
  readonly metas: readonly IndexMetadata[];
}

function* wildcardMatches({ state, options, access }: Resolution, pattern: string): Iterable<Abstraction> {
  const matches = (hidden: boolean, name: string): boolean =>
    matchesWildcard(pattern, name) && visible(hidden, name, pattern, options);
  for (const [name, meta] of nameIndex(state)) {
    if (matches(isTrue(meta.settings, 'index.hidden'), name) && allowsIndex(state, access, meta))
      yield { name, isIndex: true, metas: [meta] };
  }
  if (!options.allowAliases) return;
  for (const [name, metas] of aliasIndex(state))
    if (matches(aliasIsHidden(metas, name), name) && access.allows(name)) yield { name, isIndex: false, metas };
  for (const { name, hidden, indices } of dataStreams(state)) {
    if (matches(hidden, name) && access.allows(name))
      yield { name, isIndex: false, metas: indices.flatMap((uuid) => state.indices.get(uuid) ?? []) };
  }
}

/** What a wildcard expands to: names, each with its indices and the name that matched. */
function expansion(resolution: Resolution, pattern: string): (readonly [string, readonly IndexMetadata[], string])[] {
  const expanded = [...wildcardMatches(resolution, pattern)].flatMap(({ name, isIndex, metas }) =>
    resolution.keepsAliases && !isIndex
      ? [[name, metas, name] as const]
      : metas
          .filter((meta) => stateMatches(meta, resolution.options))
          .map((meta) => [meta.name, [meta], name] as const),
  );
  return expanded.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
}

function addWildcard(resolution: Resolution, pattern: string): void {
  const expanded = expansion(resolution, pattern);
  if (expanded.length === 0 && !resolution.options.allowNoIndices) throw noSuchIndex(pattern);
  for (const [name, metas, askedBy] of expanded) add(resolution, name, metas, askedBy);
}

function add({ found }: Resolution, name: string, metas: readonly IndexMetadata[], askedBy: string): void {
  const match = found.get(name);
  if (match === undefined) found.set(name, { metas, askedBy: new Set([askedBy]) });
  else match.askedBy.add(askedBy);
}

/** Returns the indices of a concrete name; null if nothing has the name. */
function namedIndices(state: ClusterState, name: string, options: IndicesOptions): readonly IndexMetadata[] | null {
  const index = nameIndex(state).get(name);
  if (index) return [index];
  const members = aliasIndex(state).get(name);
  if (members && !options.allowAliases) throw aliasRefused(name);
  if (members) return members;
  const stream = dataStream(state, name);
  return stream ? stream.indices.flatMap((uuid) => state.indices.get(uuid) ?? []) : null;
}

function aliasRefused(name: string): ApiError {
  return errors.illegalArgument(
    `The provided expression [${name}] matches an alias, specify the corresponding concrete indices instead.`,
  );
}

function addNamed(resolution: Resolution, name: string): void {
  const { state, options, access } = resolution;
  if (name.startsWith('_')) throw invalidIndexName(name, "must not start with '_'.");
  if (!allowsName(state, access, name)) {
    if (options.ignoreUnavailable) return;
    throw access.refuse([name]);
  }
  const metas =
    options.ignoreUnavailable && !options.allowAliases && aliasIndex(state).has(name)
      ? []
      : namedIndices(state, name, options);
  if (!metas) {
    if (options.ignoreUnavailable) return;
    throw noSuchIndex(name);
  }
  const isClosed = metas.length === 1 && metas[0]!.state === 'close' && options.forbidClosed;
  if (isClosed && !options.ignoreUnavailable) resolution.closed.push(metas[0]!);
  else add(resolution, name, usable(metas, options), name);
}

/** The indices of a name without closed ones, if the call refuses these. */
function usable(metas: readonly IndexMetadata[], options: IndicesOptions): readonly IndexMetadata[] {
  return metas.filter((meta) => meta.state !== 'close' || !options.forbidClosed);
}

/**
 * Takes names back. `-name` takes back what was asked for by that name only: after `logs*,-an_alias` an index of the
 * alias that is called `logs-1` is still there. `-wild*` takes back the indices that the wildcard expands to, too, but
 * not the aliases of the same indices that were named on their own.
 */
function exclude(resolution: Resolution, pattern: string): void {
  const { found } = resolution;
  if (pattern.includes('*')) for (const [name] of expansion(resolution, pattern)) found.delete(name);
  for (const [name, { askedBy }] of found) {
    for (const one of askedBy) if (matchesWildcard(pattern, one)) askedBy.delete(one);
    if (askedBy.size === 0 || matchesWildcard(pattern, name)) found.delete(name);
  }
}

function refuseRemote(name: string): void {
  const colon = name.indexOf(':');
  if (colon <= 0 || name.startsWith('<')) return;
  const cluster = name.slice(0, colon);
  if (!cluster.includes('*')) throw errors.noSuchRemoteCluster(`no such remote cluster: [${cluster}]`);
}

/**
 * Resolves expressions to indices, in the order of the expressions, matches of one wildcard by name. Supports
 * wildcards, exclusions after a wildcard, date math, aliases and data streams. Errors have the texts of Elasticsearch.
 * Wildcards skip indices that `access` does not allow. Naming one that is not allowed is refused, whether it exists or
 * not, unless `ignoreUnavailable` is set. Options that expand neither open nor closed indices take patterns for names.
 */
export function resolveIndices(
  state: ClusterState,
  expressions: readonly string[],
  options: IndicesOptions,
  access: IndexAccess,
  nowMs = 0,
): IndexMetadata[] {
  const found = resolve(
    { state, options, access, keepsAliases: false, found: new Map(), closed: [] },
    expressions,
    nowMs,
  );
  return [...new Set([...found.values()].flatMap(({ metas }) => metas))];
}

/**
 * Resolves expressions to the names of indices, aliases and data streams that they stand for, as `resolveIndices` with
 * the same options; an alias stands for itself only.
 */
export function resolveNames(
  state: ClusterState,
  expressions: readonly string[],
  options: IndicesOptions,
  access: IndexAccess,
  nowMs = 0,
): ReadonlySet<string> {
  const found = resolve(
    { state, options, access, keepsAliases: true, found: new Map(), closed: [] },
    expressions,
    nowMs,
  );
  return new Set(found.keys());
}

function resolve(
  resolution: Resolution,
  expressions: readonly string[],
  nowMs: number,
): ReadonlyMap<string, NamedMatch> {
  const { options, found, closed } = resolution;
  if (!isAllIndices(expressions)) addExpressions(resolution, expressions, nowMs);
  else if (expandsWildcards(options))
    addWildcard({ ...resolution, options: { ...options, allowNoIndices: true } }, '*');
  if (closed.length > 0) throw indexClosed(closed[0]!);
  if (found.size === 0 && !options.allowNoIndices) throw nothingMatched(expressions);
  return found;
}

/** Whether wildcards are expanded at all: `hidden` alone adds to `open` and `closed`, but expands nothing itself. */
const expandsWildcards = ({ expandOpen, expandClosed }: IndicesOptions): boolean => expandOpen || expandClosed;

/**
 * Comparisons of patterns with names that a request may cause, up to 1 us each, unless it has few patterns: a list of
 * ten thousand patterns over three hundred indices would keep others waiting for ten seconds.
 */
const COMPARISONS_MAX = 200_000;
const FEW_PATTERNS = 16;

/** Refuses more patterns than can be compared with the names of all indices and aliases in a moment. */
export function checkPatterns(state: ClusterState, expressions: readonly string[]): void {
  if (expressions.length <= FEW_PATTERNS) return;
  const patterns = expressions.reduce((count, one) => (one.includes('*') ? count + 1 : count), 0);
  if (patterns <= FEW_PATTERNS) return;
  const names = nameIndex(state).size + aliasIndex(state).size;
  if (patterns * names > COMPARISONS_MAX)
    throw errors.illegalArgument(
      `[${patterns}] patterns would be compared with [${names}] names of indices and aliases, which is more than the ` +
        `limit of [${COMPARISONS_MAX}] comparisons; name the indices or use fewer patterns`,
    );
}

function addExpressions(resolution: Resolution, expressions: readonly string[], nowMs: number): void {
  let wildcardSeen = false;
  checkPatterns(resolution.state, expressions);
  refuseUnauthorized(resolution, expressions, nowMs);
  for (const raw of expressions) {
    const excluded = raw.startsWith('-') && wildcardSeen;
    const expression = resolveDateMath(excluded ? raw.slice(1) : raw, nowMs);
    if (excluded) exclude(resolution, expression);
    else if (raw.startsWith('-') && !nameIndex(resolution.state).has(raw)) {
      if (!resolution.options.ignoreUnavailable) throw refuseEarlyExclusion(raw);
    } else {
      refuseRemote(expression);
      if (!expression.includes('*')) addNamed(resolution, expression);
      else if (expandsWildcards(resolution.options)) {
        wildcardSeen = true;
        if (!expression.includes(':')) addWildcard(resolution, expression);
      } else if (!resolution.options.ignoreUnavailable) throw noSuchIndex(expression);
    }
  }
}

/** Throws one error for all names that are not allowed, before any name is looked up. */
function refuseUnauthorized(
  { state, options, access }: Resolution,
  expressions: readonly string[],
  nowMs: number,
): void {
  if (access === UNRESTRICTED || options.ignoreUnavailable) return;
  const names = expressions
    .filter((raw) => raw !== '_all' && !raw.includes('*') && !raw.startsWith('-'))
    .map((raw) => resolveDateMath(raw, nowMs));
  const refused = names.filter((name) => !name.startsWith('_') && !allowsName(state, access, name));
  if (refused.length > 0) throw access.refuse([...new Set(refused)]);
}

function refuseEarlyExclusion(raw: string): ApiError {
  return noSuchIndex(
    raw,
    ' and if you intended to exclude this index, ensure that you use wildcards that include it before explicitly ' +
      'excluding it',
  );
}

function nothingMatched(expressions: readonly string[]): ApiError {
  if (isAllIndices(expressions)) return noSuchIndex('_all', ' and no indices exist');
  if (expressions.length === 1) return noSuchIndex(expressions[0]!);
  const meta = { 'resource.type': 'index_expression', 'resource.id': [...expressions] };
  return errors.indexNotFound('no such index [null]', { meta });
}
