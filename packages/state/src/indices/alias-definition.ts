import { errors } from '@shoal/errors';
import { isPlainObject } from '@shoal/json';
import type { AliasMetadata } from '../state.js';
import { invalidAliasName, validateAliasName } from '../names/index-name.js';
import { nameIndex } from '../edit.js';
import type { ClusterState } from '../state.js';

type Draft = { -readonly [K in keyof AliasMetadata]: AliasMetadata[K] };

function setText(draft: Draft, key: string, value: string): boolean {
  if (key === 'routing') {
    draft.indexRouting = value;
    draft.searchRouting = value;
  } else if (key === 'index_routing' || key === 'indexRouting' || key === 'index-routing') draft.indexRouting = value;
  else if (key === 'search_routing' || key === 'searchRouting' || key === 'search-routing') draft.searchRouting = value;
  else return false;
  return true;
}

function setValue(draft: Draft, alias: string, key: string, value: unknown): void {
  // The parser of 8.12 passes over the start of an object that is no filter, and reads its keys as those of the alias.
  if (key !== 'filter' && isPlainObject(value)) return setValues(draft, alias, value);
  const known =
    key === 'filter' && isPlainObject(value)
      ? ((draft.filter = value), true)
      : key === 'filter' && value === null
        ? true
        : key === 'is_write_index' && typeof value === 'boolean'
          ? ((draft.isWriteIndex = value), true)
          : key === 'is_hidden' && typeof value === 'boolean'
            ? ((draft.isHidden = value), true)
            : value === null
              ? true
              : typeof value === 'string' || typeof value === 'number'
                ? setText(draft, key, String(value))
                : false;
  if (!known) throw errors.illegalArgument(`Unknown field [${key}] in alias [${alias}]`);
}

function setValues(draft: Draft, alias: string, body: Readonly<Record<string, unknown>>): void {
  for (const [key, value] of Object.entries(body)) setValue(draft, alias, key, value);
}

function checkRouting(alias: string, draft: Draft): void {
  if (draft.indexRouting?.includes(','))
    throw errors.illegalArgument(`alias [${alias}] has several index routing values associated with it`);
}

/** Parses one alias of create index, templates and alias actions: `{"filter":…,"routing":…}`. */
export function parseAlias(alias: string, json: unknown): AliasMetadata {
  if (json !== null && !isPlainObject(json)) throw errors.parse(`Expected object but got ${typeof json}`);
  const draft: Draft = {};
  setValues(draft, alias, json ?? {});
  checkRouting(alias, draft);
  return draft;
}

/** Parses the `aliases` of a body: definitions by name of alias. */
export function parseAliases(json: unknown): Record<string, AliasMetadata> {
  if (json === undefined || json === null) return {};
  if (!isPlainObject(json)) throw errors.parse('key [aliases] must be an object');
  return Object.fromEntries(Object.entries(json).map(([alias, body]) => [alias, parseAlias(alias, body)]));
}

/** Renders an alias as `GET _alias` shows it. */
export function aliasToJson(alias: AliasMetadata): Record<string, unknown> {
  return {
    ...(alias.filter === undefined ? {} : { filter: alias.filter }),
    ...(alias.indexRouting === undefined ? {} : { index_routing: alias.indexRouting }),
    ...(alias.searchRouting === undefined ? {} : { search_routing: alias.searchRouting }),
    ...(alias.isWriteIndex === undefined ? {} : { is_write_index: alias.isWriteIndex }),
    ...(alias.isHidden === undefined ? {} : { is_hidden: alias.isHidden }),
  };
}

/** Renders the aliases of an index as `GET _alias` shows them. */
export function aliasesToJson(aliases: Readonly<Record<string, AliasMetadata>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(aliases).map(([name, alias]) => [name, aliasToJson(alias)]));
}

/** Throws if the name of an alias is invalid, or is the name of an index. `index` is the index that gets the alias. */
export function validateNewAlias(state: ClusterState, alias: string, index: string): void {
  validateAliasName(alias);
  if (alias === index || nameIndex(state).has(alias)) {
    throw invalidAliasName(alias, 'an index or data stream exists with the same name as the alias');
  }
}
