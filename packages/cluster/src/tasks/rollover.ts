import { errors } from '@shoal/errors';
import { isPlainObject } from '@shoal/json';
import {
  dataStream,
  type DataStream,
  resolveDateMath,
  aliasIndex,
  writeIndexOf,
  noSuchIndex,
  type AliasMetadata,
  type ClusterState,
  type IndexMetadata,
  nameIndex,
} from '@shoal/state';
import { withEntry, withIndex } from '../metadata/edit-state.js';
import { createBackingIndex, dataStreamTemplate } from '../metadata/create-data-stream-state.js';
import { createIndexState, validateNewName } from '../metadata/create-index-state.js';
import { hasActiveShards, wantedActiveShards } from './active-shards.js';
import { parseCreateIndex } from './create-index.js';
import { defineTask, type TaskContext, type TaskResult } from './task.js';

/** Source and names of a rollover, before its conditions are checked. */
export interface RolloverPlan {
  readonly alias: string;
  readonly source: IndexMetadata;
  readonly newName: string;
  readonly stream: DataStream | null;
}

/** Body of `rollover`. */
export interface RolloverBody {
  readonly alias: string;
  readonly newName: string | null;
  /** Settings, mappings and aliases of the new index. */
  readonly body: Readonly<Record<string, unknown>>;
  readonly metConditions: readonly string[];
  /** The answer so far: names and conditions. */
  readonly answer: Readonly<Record<string, unknown>>;
  readonly waitForActiveShards?: string | null;
  /** Uuid of the index that the caller rolls over. Nothing happens if another one is the write index by now. */
  readonly onlyFrom?: string;
}

const COUNTER = /^(.*)-(\d+)(>?)$/;

/** Returns the next name: `logs-000001` → `logs-000002`. Date math of the provided name is resolved again. */
function nextName(source: IndexMetadata, nowMs: number): string {
  const provided = String(source.settings['index.provided_name'] ?? source.name);
  const template = provided.startsWith('<') ? provided : source.name;
  const match = COUNTER.exec(template);
  if (!match) throw errors.illegalArgument(`index name [${source.name}] does not match pattern '^.*-\\d+$'`);
  const [, prefix = '', digits = '', close = ''] = match;
  return resolveDateMath(`${prefix}-${String(Number(digits) + 1).padStart(6, '0')}${close}`, nowMs);
}

function backingName(stream: DataStream, nowMs: number): string {
  return resolveDateMath(
    `<.ds-${stream.name}-{now/d{uuuu.MM.dd}}-${String(stream.generation + 1).padStart(6, '0')}>`,
    nowMs,
  );
}

/**
 * Resolves the alias or data stream of a rollover and the name of the new index. Throws illegal_argument_exception if
 * it cannot be rolled over.
 */
export function planRollover(state: ClusterState, alias: string, newName: string | null, nowMs: number): RolloverPlan {
  const stream = dataStream(state, alias);
  if (stream) {
    if (newName !== null)
      throw errors.illegalArgument('new index name may not be specified when rolling over a data stream');
    const source = state.indices.get(stream.indices.at(-1) ?? '')!;
    return { alias, source, newName: backingName(stream, nowMs), stream };
  }
  if (nameIndex(state).has(alias))
    throw errors.illegalArgument('rollover target is a [concrete index] but one of [alias,data_stream] was expected');
  const members = aliasIndex(state).get(alias);
  if (!members) throw noSuchIndex(alias);
  const source = writeIndexOf(members, alias);
  if (!source) throw errors.illegalArgument(`rollover target [${alias}] does not point to a write index`);
  const wanted = newName === null ? nextName(source, nowMs) : resolveDateMath(newName, nowMs);
  validateNewName(state, wanted);
  return { alias, source, newName: wanted, stream: null };
}

/**
 * Moves the alias to the new index. With an explicit `is_write_index` the source keeps the alias with `is_write_index:
 * false`; otherwise it loses the alias. As in 8.12 filters and routing values of the alias are lost.
 */
function moveAlias(state: ClusterState, plan: RolloverPlan, created: IndexMetadata): ClusterState {
  const source = state.indices.get(plan.source.uuid)!;
  const old: AliasMetadata = source.aliases[plan.alias] ?? {};
  const explicit = old.isWriteIndex === true;
  const { [plan.alias]: _moved, ...others } = source.aliases;
  const moving: AliasMetadata = old.isHidden === undefined ? {} : { isHidden: old.isHidden };
  const sourceAliases = explicit ? { ...others, [plan.alias]: { ...moving, isWriteIndex: false } } : others;
  const target = state.indices.get(created.uuid)!;
  const moved = withIndex(state, {
    ...source,
    aliases: sourceAliases,
    version: source.version + 1,
    aliasesVersion: source.aliasesVersion + 1,
  });
  const given = explicit ? { ...moving, isWriteIndex: true } : moving;
  return withIndex(moved, { ...target, aliases: { ...target.aliases, [plan.alias]: given } });
}

function noteRollover(
  state: ClusterState,
  plan: RolloverPlan,
  metConditions: readonly string[],
  nowMs: number,
): ClusterState {
  const source = state.indices.get(plan.source.uuid)!;
  const info = { met_conditions: Object.fromEntries(metConditions.map((name) => [name, true])), time: nowMs };
  return withIndex(state, {
    ...source,
    rolloverInfo: { ...source.rolloverInfo, [plan.alias]: info },
    version: source.version + 1,
  });
}

function rollStream(
  state: ClusterState,
  stream: DataStream,
  context: TaskContext,
): { state: ClusterState; meta: IndexMetadata } {
  const { template } = dataStreamTemplate(state, stream.name);
  const generation = stream.generation + 1;
  const created = createBackingIndex(state, { ...stream, generation }, template, context);
  const next = { ...stream, generation, indices: [...stream.indices, created.meta.uuid] };
  return { state: withEntry(created.state, 'dataStreams', stream.name, next), meta: created.meta };
}

function rollAlias(
  state: ClusterState,
  plan: RolloverPlan,
  body: RolloverBody,
  context: TaskContext,
): { state: ClusterState; meta: IndexMetadata } {
  const { conditions: _conditions, ...rest } = body.body;
  const request = parseCreateIndex(plan.newName, isPlainObject(rest) ? rest : {}, context.nowMs);
  const created = createIndexState(state, request, context);
  return { state: moveAlias(created.state, plan, created.meta), meta: created.meta };
}

function apply(state: ClusterState, body: RolloverBody, context: TaskContext): TaskResult {
  const plan = planRollover(state, body.alias, body.newName, context.nowMs);
  if (!state.indices.has(plan.source.uuid)) throw noSuchIndex(plan.source.name);
  if ((body.onlyFrom ?? plan.source.uuid) !== plan.source.uuid) return { state, answer: body.answer };
  const rolled = plan.stream ? rollStream(state, plan.stream, context) : rollAlias(state, plan, body, context);
  return rolledOver(noteRollover(rolled.state, plan, body.metConditions, context.nowMs), body, rolled.meta);
}

function rolledOver(state: ClusterState, body: RolloverBody, created: IndexMetadata): TaskResult {
  const wanted = wantedActiveShards(created, body.waitForActiveShards);
  const answer = {
    ...body.answer,
    acknowledged: true,
    shards_acknowledged: true,
    rolled_over: true,
    new_index: created.name,
  };
  return {
    state,
    answer,
    reroute: 'all',
    until: (later) => hasActiveShards(later, created.uuid, wanted),
    answerUnmet: { ...answer, shards_acknowledged: false },
  };
}

/** Creates the next index of an alias or data stream and makes it the write index. */
export const rollover = defineTask<RolloverBody>({
  name: 'rollover',
  priority: 'URGENT',
  source: ({ alias }) => `rollover_index source [${alias}]`,
  apply,
  createdBefore: rolledOver,
});
