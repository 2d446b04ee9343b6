import { errors } from '@shoal/errors';
import { setOwn, stringify } from '@shoal/json';
import {
  checkIndexBlocks,
  validateNewAlias,
  type AliasMetadata,
  type ClusterState,
  type IndexMetadata,
} from '@shoal/state';
import { selectNames } from '@shoal/values';
import { withoutKeys, withIndex } from '../metadata/edit-state.js';
import { validateWriteAliases } from '../metadata/create-index-state.js';
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

function metasOf(state: ClusterState, uuids: readonly string[]): IndexMetadata[] {
  return uuids.flatMap((uuid) => state.indices.get(uuid) ?? []);
}

function withAliases(meta: IndexMetadata, aliases: Readonly<Record<string, AliasMetadata>>): IndexMetadata {
  if (stringify(aliases) === stringify(meta.aliases)) return meta;
  return { ...meta, aliases, version: meta.version + 1, aliasesVersion: meta.aliasesVersion + 1 };
}

/** Aliases of indices after further `add` actions, by uuid; copied once for each index. */
type AliasDrafts = Map<string, Record<string, AliasMetadata>>;

function add(state: ClusterState, action: Extract<AliasAction, { kind: 'add' }>, drafts: AliasDrafts): void {
  for (const meta of metasOf(state, action.uuids)) {
    let draft = drafts.get(meta.uuid);
    if (draft === undefined) drafts.set(meta.uuid, (draft = { ...meta.aliases }));
    for (const alias of action.aliases) {
      validateNewAlias(state, alias, meta.name);
      setOwn(draft, alias, action.alias);
    }
  }
}

/** The state with the aliases of the drafts, which are empty afterwards. */
function withDrafts(state: ClusterState, drafts: AliasDrafts): ClusterState {
  let next = state;
  for (const [uuid, aliases] of drafts) {
    const meta = next.indices.get(uuid);
    if (meta !== undefined) next = withIndex(next, withAliases(meta, aliases));
  }
  drafts.clear();
  return next;
}

function remove(state: ClusterState, action: Extract<AliasAction, { kind: 'remove' }>): ClusterState {
  const metas = metasOf(state, action.uuids);
  const all = metas.flatMap((meta) => selectNames(Object.keys(meta.aliases), action.aliases));
  const missing = action.aliases.filter((alias) => !alias.includes('*') && alias !== '_all' && !all.includes(alias));
  if (action.mustExist === true && missing[0] !== undefined)
    throw errors.resourceNotFound(`required alias [${missing[0]}] does not exist`);
  const refuse = action.mustExist ?? all.length === 0;
  if (refuse && (missing.length > 0 || all.length === 0)) {
    const names = missing.length > 0 ? missing : action.aliases;
    throw errors.aliasesNotFound(`aliases [${names.join(', ')}] missing`, {
      meta: { 'resource.type': 'aliases', 'resource.id': names.join(', ') },
    });
  }
  return metas.reduce((next, meta) => {
    const gone = new Set(selectNames(Object.keys(meta.aliases), action.aliases));
    return gone.size === 0 ? next : withIndex(next, withAliases(meta, withoutKeys(meta.aliases, gone)));
  }, state);
}

function applyActions(state: ClusterState, actions: readonly AliasAction[], context: TaskContext): ClusterState {
  const drafts: AliasDrafts = new Map();
  let next = state;
  for (const action of actions) {
    if (action.kind === 'add') add(next, action, drafts);
    else {
      next = withDrafts(next, drafts);
      next = action.kind === 'remove' ? remove(next, action) : removeIndices(next, action.uuids, context.nowMs);
    }
  }
  return withDrafts(next, drafts);
}

/** Sorts actions: indices are removed first, so that aliases of the same call may take their names. */
function ordered(actions: readonly AliasAction[]): AliasAction[] {
  return [
    ...actions.filter((action) => action.kind === 'remove-index'),
    ...actions.filter((action) => action.kind !== 'remove-index'),
  ];
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
  const next = applyActions(state, ordered(actions), context);
  for (const meta of next.indices.values()) if (meta !== state.indices.get(meta.uuid)) validateWriteAliases(next, meta);
  return { state: next, answer: ACKNOWLEDGED };
}

/** Adds and removes aliases, and removes indices, all in one change. */
export const updateAliases = defineTask<UpdateAliasesBody>({
  name: 'update-aliases',
  priority: 'URGENT',
  source: () => 'index-aliases',
  apply,
});
