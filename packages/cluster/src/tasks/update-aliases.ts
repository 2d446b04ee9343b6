import { errors } from '@shoal/errors';
import { setOwn, stringify } from '@shoal/json';
import {
  checkIndexBlocks,
  isTimeSeries,
  validateNewAlias,
  type AliasMetadata,
  type ClusterState,
  type IndexMetadata,
} from '@shoal/state';
import { selectNames } from '@shoal/values';
import { withIndex } from '../metadata/edit-state.js';
import { hasRouting, routingForbidden, validateAliases } from '../metadata/create-index-state.js';
import { removeIndices } from '../metadata/remove-indices.js';
import { ACKNOWLEDGED, defineTask, type TaskContext, type TaskResult } from './task.js';

/** An action with its index resolved to a uuid. */
export type AliasAction =
  | {
      readonly kind: 'add';
      readonly uuids: readonly string[];
      readonly aliases: readonly string[];
      readonly alias: AliasMetadata;
      readonly mustExist?: boolean;
    }
  | {
      readonly kind: 'remove';
      readonly uuids: readonly string[];
      readonly aliases: readonly string[];
      readonly mustExist: boolean | null;
    }
  | { readonly kind: 'remove-index'; readonly uuids: readonly string[] };

/** Body of `updateAliases`. */
export interface UpdateAliasesBody {
  readonly actions: readonly AliasAction[];
}

/** Aliases that a call may change, counted once for each index, as all are changed in one state. */
const CHANGES_MAX = 20_000;

function metasOf(state: ClusterState, uuids: readonly string[]): IndexMetadata[] {
  return uuids.flatMap((uuid) => state.indices.get(uuid) ?? []);
}

function withAliases(meta: IndexMetadata, aliases: Readonly<Record<string, AliasMetadata>>): IndexMetadata {
  if (stringify(aliases) === stringify(meta.aliases)) return meta;
  return { ...meta, aliases, version: meta.version + 1, aliasesVersion: meta.aliasesVersion + 1 };
}

/** Aliases of indices after further actions, by uuid; copied once for each index. */
type AliasDrafts = Map<string, Record<string, AliasMetadata>>;

/** A change of the aliases of one index; `remove` names aliases without wildcards. */
type AliasChange =
  | { readonly kind: 'add'; readonly uuid: string; readonly aliases: readonly string[]; readonly alias: AliasMetadata }
  | {
      readonly kind: 'remove';
      readonly uuid: string;
      readonly aliases: readonly string[];
      readonly mustExist: boolean;
    };

const isPattern = (alias: string): boolean => alias.includes('*') || alias === '_all';

/** Returns the aliases of an index that are named or match; all are looked at only if there is a pattern. */
function existing({ aliases }: IndexMetadata, wanted: readonly string[]): string[] {
  const patterns = wanted.filter(isPattern);
  const named = wanted.filter((alias) => !isPattern(alias) && Object.hasOwn(aliases, alias));
  return patterns.length === 0 ? named : [...new Set([...named, ...selectNames(Object.keys(aliases), patterns)])];
}

function removals(state: ClusterState, action: Extract<AliasAction, { kind: 'remove' }>): AliasChange[] {
  const mustExist = action.mustExist === true;
  return metasOf(state, action.uuids).flatMap((meta): AliasChange[] => {
    const own = existing(meta, action.aliases);
    const aliases = own.length === 0 && mustExist ? action.aliases : own;
    return aliases.length === 0 ? [] : [{ kind: 'remove', uuid: meta.uuid, aliases, mustExist }];
  });
}

/**
 * Changes of single indices, as the aliases were before the call: an alias that the same call adds is not removed.
 * Throws if the call would remove aliases and nothing else, and none of them exists.
 */
function changesOf(state: ClusterState, actions: readonly AliasAction[]): AliasChange[] {
  const changes = actions.flatMap((action): AliasChange[] => {
    if (action.kind === 'remove') return removals(state, action);
    if (action.kind === 'remove-index') return [];
    return action.uuids.map((uuid) => ({ kind: 'add', uuid, aliases: action.aliases, alias: action.alias }));
  });
  if (changes.length === 0 && actions.every(({ kind }) => kind === 'remove')) throw aliasesMissing(actions);
  return changes;
}

function aliasesMissing(actions: readonly AliasAction[]): Error {
  const names = [...new Set(actions.flatMap((action) => (action.kind === 'remove' ? action.aliases : [])))];
  return errors.aliasesNotFound(`aliases [${names.join(', ')}] missing`, {
    meta: { 'resource.type': 'aliases', 'resource.id': names.length === 1 ? names[0]! : names },
  });
}

/** The aliases of an index for changing; throws if a `remove-index` of the same call removed it. */
function draftOf(
  before: ClusterState,
  state: ClusterState,
  uuid: string,
  drafts: AliasDrafts,
): Record<string, AliasMetadata> {
  const draft = drafts.get(uuid);
  if (draft !== undefined) return draft;
  const meta = state.indices.get(uuid);
  const name = before.indices.get(uuid)?.name ?? uuid;
  if (meta === undefined)
    throw errors.indexNotFound(`no such index [${name}]`, { meta: { index_uuid: '_na_', index: name } });
  const copy = { ...meta.aliases };
  drafts.set(uuid, copy);
  return copy;
}

function applyChanges(before: ClusterState, state: ClusterState, changes: readonly AliasChange[]): ClusterState {
  const drafts: AliasDrafts = new Map();
  for (const change of changes) {
    const draft = draftOf(before, state, change.uuid, drafts);
    for (const alias of change.aliases) {
      if (change.kind === 'add') {
        const meta = state.indices.get(change.uuid)!;
        validateNewAlias(state, alias, meta.name);
        if (isTimeSeries(meta) && hasRouting(change.alias)) throw routingForbidden();
        setOwn(draft, alias, change.alias);
      } else if (Object.hasOwn(draft, alias)) delete draft[alias];
      else if (change.mustExist) throw errors.resourceNotFound(`required alias [${alias}] does not exist`);
    }
  }
  return withDrafts(state, drafts);
}

/** The state with the aliases of the drafts. */
function withDrafts(state: ClusterState, drafts: AliasDrafts): ClusterState {
  let next = state;
  for (const [uuid, aliases] of drafts) next = withIndex(next, withAliases(next.indices.get(uuid)!, aliases));
  return next;
}

function apply(state: ClusterState, { actions }: UpdateAliasesBody, context: TaskContext): TaskResult {
  checkIndexBlocks(
    state,
    metasOf(
      state,
      actions.flatMap((action) => action.uuids),
    ),
    'metadata_write',
  );
  const changes = changesOf(state, actions);
  const count = changes.reduce((sum, { aliases }) => sum + aliases.length, 0);
  if (count > CHANGES_MAX)
    throw errors.illegalArgument(`a call may change [${CHANGES_MAX}] aliases of indices, not [${count}]`);
  // Indices are removed first, so that aliases of the same call may take their names.
  const removed = actions.flatMap((action) => (action.kind === 'remove-index' ? action.uuids : []));
  const kept = removed.length === 0 ? state : removeIndices(state, removed, context.nowMs);
  const next = applyChanges(state, kept, changes);
  for (const meta of next.indices.values()) {
    const before = state.indices.get(meta.uuid);
    if (meta !== before) validateAliases(next, meta, before);
  }
  return { state: next, answer: ACKNOWLEDGED };
}

/** Adds and removes aliases, and removes indices, all in one change. */
export const updateAliases = defineTask<UpdateAliasesBody>({
  name: 'update-aliases',
  priority: 'URGENT',
  source: () => 'index-aliases',
  apply,
});
