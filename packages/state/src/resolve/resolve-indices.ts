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

interface Resolution {
  readonly state: ClusterState;
  readonly options: IndicesOptions;
  readonly access: IndexAccess;
  readonly found: Map<string, IndexMetadata>;
}

function stateMatches(meta: IndexMetadata, options: IndicesOptions): boolean {
  return meta.state === 'open' ? options.expandOpen : options.expandClosed;
}

/**
 * Whether a pattern may match a name that is perhaps hidden. Hidden names match if both name and pattern start with a
 * dot.
 */
function visible(hidden: boolean, name: string, pattern: string, options: IndicesOptions): boolean {
  return !hidden || options.expandHidden || (pattern.startsWith('.') && name.startsWith('.'));
}

function* wildcardMatches({ state, options, access }: Resolution, pattern: string): Iterable<IndexMetadata> {
  for (const [name, meta] of nameIndex(state)) {
    if (
      matchesWildcard(pattern, name) &&
      visible(isTrue(meta.settings, 'index.hidden'), name, pattern, options) &&
      allowsIndex(state, access, meta)
    )
      yield meta;
  }
  if (!options.allowAliases) return;
  for (const [alias, members] of aliasIndex(state)) {
    if (
      matchesWildcard(pattern, alias) &&
      visible(aliasIsHidden(members, alias), alias, pattern, options) &&
      access.allows(alias)
    )
      yield* members;
  }
  for (const stream of dataStreams(state)) {
    if (
      matchesWildcard(pattern, stream.name) &&
      visible(stream.hidden, stream.name, pattern, options) &&
      access.allows(stream.name)
    ) {
      yield* stream.indices.flatMap((uuid) => state.indices.get(uuid) ?? []);
    }
  }
}

function addWildcard(resolution: Resolution, pattern: string): void {
  const { options, found } = resolution;
  const matches = [...wildcardMatches(resolution, pattern)].filter((meta) => stateMatches(meta, options));
  if (matches.length === 0 && !options.allowNoIndices) throw noSuchIndex(pattern);
  for (const meta of matches.sort((a, b) => (a.name < b.name ? -1 : 1))) found.set(meta.uuid, meta);
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

function addNamed({ state, options, access, found }: Resolution, name: string): void {
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
  for (const meta of metas) {
    if (meta.state === 'close' && options.forbidClosed) {
      if (options.ignoreUnavailable || metas.length > 1) continue;
      throw indexClosed(meta);
    }
    found.set(meta.uuid, meta);
  }
}

function exclude({ state, found }: Resolution, pattern: string): void {
  for (const [uuid, meta] of found) {
    const names = [meta.name, ...Object.keys(meta.aliases)];
    if (names.some((name) => matchesWildcard(pattern, name))) found.delete(uuid);
  }
  for (const uuid of dataStream(state, pattern)?.indices ?? []) found.delete(uuid);
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
 * not, unless `ignoreUnavailable` is set.
 */
export function resolveIndices(
  state: ClusterState,
  expressions: readonly string[],
  options: IndicesOptions,
  access: IndexAccess,
  nowMs = 0,
): IndexMetadata[] {
  const resolution: Resolution = { state, options, access, found: new Map() };
  if (isAllIndices(expressions)) addWildcard({ ...resolution, options: { ...options, allowNoIndices: true } }, '*');
  else addExpressions(resolution, expressions, nowMs);
  if (resolution.found.size === 0 && !options.allowNoIndices) throw nothingMatched(expressions);
  return [...resolution.found.values()];
}

/**
 * Comparisons of patterns with names that a request may cause, up to 1 us each, unless it has few patterns: a list of
 * ten thousand patterns over three hundred indices would keep others waiting for ten seconds.
 */
const COMPARISONS_MAX = 200_000;
const FEW_PATTERNS = 16;

function checkPatterns(state: ClusterState, expressions: readonly string[]): void {
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
    else if (expression === '_all') addWildcard(resolution, '*');
    else if (raw.startsWith('-') && !nameIndex(resolution.state).has(raw)) throw refuseEarlyExclusion(raw);
    else {
      refuseRemote(expression);
      if (expression.includes('*')) {
        wildcardSeen = true;
        if (!expression.includes(':')) addWildcard(resolution, expression);
      } else addNamed(resolution, expression);
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
  return noSuchIndex(expressions.join(','));
}
