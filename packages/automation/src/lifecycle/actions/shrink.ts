import { errors } from '@shoal/errors';
import { bodyReader, type JsonObject } from '@shoal/json';
import { type ClusterState, type IndexMetadata, indexSetting, isActive, isDataNode } from '@shoal/state';
import { drainingNode } from '@shoal/cluster';
import { parseByteSize, parseTimeValue } from '@shoal/values';
import { withSettings } from '../effects.js';
import { DONE, type LifecycleActionType, type Step, type StepView, type Verdict, waits } from '../step.js';
import { copyExecution, deleteTarget, exchange, type ReplacementSteps, sourceGone, targetOf } from './replacement.js';
import { checkNotWriteIndex } from './write-index.js';

/** As the setting `index.number_of_shards`. */
const SHARDS_MAX = 1024;
const ON_NODE = 'index.routing.allocation.require._id';
const THRESHOLD = 'index.lifecycle.step.wait_time_threshold';
const POLICY = 'index.lifecycle.name';
const STEPS: ReplacementSteps = { cleanUp: 'cleanup-shrink-index', check: 'shrunk-index-check' };

/** Smallest number of shards that divides `shards` and keeps each below a size; `shards` if there is none. */
export function shardsFor(shards: number, bytes: number, bytesMax: number): number {
  for (let count = Math.max(1, Math.ceil(bytes / bytesMax)); count < shards; count++)
    if (shards % count === 0) return count;
  return shards;
}

/** Number of shards of the target; null before the index is measured. */
function wantedShards({ meta, measured }: StepView, options: JsonObject): number | null {
  if (options['number_of_shards'] !== undefined) return Number(options['number_of_shards']);
  if (measured === null) return null;
  const bytesMax = parseByteSize(String(options['max_primary_shard_size']), 'max_primary_shard_size');
  return shardsFor(meta.numberOfShards, measured.sizeBytes, bytesMax);
}

function checkCount(view: StepView, options: JsonObject): Verdict {
  const wanted = wantedShards(view, options);
  if (wanted === null) return { kind: 'measure' };
  const { numberOfShards: present, name } = view.meta;
  if (present % wanted === 0) return DONE;
  return {
    kind: 'fail',
    reason:
      `lifecycle action of policy [${view.policy}] for index [${name}] cannot make progress because the target ` +
      `shards count [${wanted}] must be a factor of the source index's shards count [${present}]`,
  };
}

/** Shards of an index that a node holds an active copy of. */
function heldBy(state: ClusterState, meta: IndexMetadata, nodeId: string): number {
  const table = state.routing.get(meta.uuid) ?? [];
  return table.filter((copies) => copies.some((copy) => copy.nodeId === nodeId && isActive(copy))).length;
}

/** The data node that holds most shards of the index already; the lowest id of several. */
function bestNode(state: ClusterState, meta: IndexMetadata): string | null {
  const nodes = [...state.nodes.values()].filter((node) => isDataNode(node) && drainingNode(state, node.id) === null);
  const ranked = nodes.map(({ id }) => ({ id, held: heldBy(state, meta, id) }));
  ranked.sort((a, b) => b.held - a.held || (a.id < b.id ? -1 : 1));
  return ranked[0]?.id ?? null;
}

/** Whether a step has waited for so long that another node or another target is tried. */
function isOverdue({ meta, execution, nowMs }: StepView): boolean {
  const limit = parseTimeValue(String(indexSetting(meta.settings, THRESHOLD)), THRESHOLD);
  return limit >= 0 && nowMs - execution.stepTimeMs > limit;
}

function placeOnOneNode({ state, meta }: StepView): Verdict {
  const known = meta.settings[ON_NODE];
  if (typeof known === 'string' && state.nodes.has(known)) return DONE;
  const nodeId = bestNode(state, meta);
  if (nodeId === null)
    return { kind: 'fail', reason: `could not find any nodes to allocate index [${meta.name}] onto prior to shrink` };
  return withSettings(meta, { [ON_NODE]: nodeId });
}

function checkOnOneNode(view: StepView): Verdict {
  const { state, meta } = view;
  const nodeId = meta.settings[ON_NODE];
  if (typeof nodeId !== 'string') return { kind: 'go', step: 'set-single-node-allocation' };
  const left = meta.numberOfShards - heldBy(state, meta, nodeId);
  if (left === 0) return DONE;
  // A node that is gone, or full, never gets the shards.
  if (!state.nodes.has(nodeId) || isOverdue(view)) return { kind: 'go', step: 'cleanup-shrink-index' };
  return waits(
    `Waiting for node [${nodeId}] to contain [${meta.numberOfShards}] shards, found ` +
      `[${meta.numberOfShards - left}], remaining [${left}]`,
    {
      node_id: nodeId,
      shards_left_to_allocate: left,
      expected_shards: meta.numberOfShards,
    },
  );
}

function shrinkIndex(view: StepView, options: JsonObject): Verdict {
  if (targetOf(view) !== null) return DONE;
  const shards = wantedShards(view, options);
  if (shards === null) return { kind: 'measure' };
  const { meta, execution } = view;
  const body = {
    kind: 'shrink',
    source: meta.name,
    target: execution.shrinkIndexName!,
    body: {
      settings: {
        'index.number_of_shards': shards,
        'index.number_of_replicas': meta.numberOfReplicas,
        // The target gets its policy, and its place in it, once it is complete.
        [POLICY]: '',
        [ON_NODE]: null,
      },
    },
  };
  const names = [meta.name, execution.shrinkIndexName!];
  return { kind: 'effect', effect: { kind: 'task', task: 'resize', body, action: 'indices:admin/resize', names } };
}

function checkShrunk(view: StepView): Verdict {
  const target = targetOf(view);
  if (target === null) return { kind: 'go', step: 'cleanup-shrink-index' };
  const copies = (view.state.routing.get(target.uuid) ?? []).flat();
  const active = copies.filter(isActive).length;
  if (active === copies.length) return DONE;
  if (isOverdue(view)) return { kind: 'go', step: 'cleanup-shrink-index' };
  return waits(
    `Waiting for shrunk index [${target.name}] to be allocated, [${active}] of [${copies.length}] shards are active`,
    {
      shrunk_index_exists: true,
      all_shards_active: false,
    },
  );
}

/** Name of the target: the same for each master, and another one after a target was given up. */
function shrunkName({ meta, nowMs }: StepView): string {
  const mark = nowMs.toString(36).slice(-4).padStart(4, '0');
  return `shrink-${mark}-${meta.name}`;
}

const shrunkIndexCheck = sourceGone(STEPS.check, ({ resizeSource }) => resizeSource?.name);

function firstStep(options: JsonObject): Step {
  return {
    name: 'branch-shrink-check-prerequisites',
    decide: ({ meta }) => (Number(options['number_of_shards']) === meta.numberOfShards ? { kind: 'skip' } : DONE),
  };
}

/** Makes an index with fewer shards and puts it in the place of the index. */
export const shrink: LifecycleActionType = {
  name: 'shrink',
  parse(options) {
    const reader = bodyReader('shrink', options);
    reader.onlyKeys(['number_of_shards', 'max_primary_shard_size', 'allow_write_after_shrink']);
    const count = reader.optionalNumber('number_of_shards');
    const size = options['max_primary_shard_size'] ?? null;
    if ((count === null) === (size === null))
      throw errors.illegalArgument(
        count === null
          ? 'Either [number_of_shards] or [max_primary_shard_size] must be set'
          : 'Cannot set both [number_of_shards] and [max_primary_shard_size]',
      );
    if (count !== null && (count <= 0 || count > SHARDS_MAX || !Number.isInteger(count)))
      throw errors.illegalArgument('[number_of_shards] must be greater than 0');
    if (size !== null && parseByteSize(String(size), 'max_primary_shard_size') <= 0)
      throw errors.illegalArgument('[max_primary_shard_size] must be greater than 0');
    const allowsWrites = reader.optionalBoolean('allow_write_after_shrink');
    return {
      ...(count === null ? { max_primary_shard_size: String(size) } : { number_of_shards: count }),
      ...(allowsWrites === null ? {} : { allow_write_after_shrink: allowsWrites }),
    };
  },
  steps: (options) => [
    firstStep(options),
    checkNotWriteIndex,
    { name: 'readonly', decide: ({ meta }) => withSettings(meta, { 'index.blocks.write': 'true' }) },
    { name: 'check-target-shards-count', decide: (view) => checkCount(view, options) },
    { name: 'cleanup-shrink-index', decide: deleteTarget },
    {
      name: 'generate-shrink-index-name',
      decide: (view) => ({ kind: 'done', changes: { shrinkIndexName: shrunkName(view) } }),
    },
    { name: 'set-single-node-allocation', decide: placeOnOneNode },
    { name: 'check-shrink-allocation', decide: checkOnOneNode },
    { name: 'shrink', decide: (view) => shrinkIndex(view, options) },
    { name: 'shrunk-shards-allocated', decide: checkShrunk },
    { name: 'copy-execution-state', decide: (view) => copyExecution(view, STEPS) },
    { name: 'aliases', decide: (view) => exchange(view, STEPS) },
    shrunkIndexCheck,
    ...(options['allow_write_after_shrink'] === true
      ? [{ name: 'allow-write', decide: ({ meta }: StepView) => withSettings(meta, { 'index.blocks.write': null }) }]
      : []),
  ],
  describe: (options) =>
    options['number_of_shards'] === undefined
      ? `shrinks the index until a shard has at most [${String(options['max_primary_shard_size'])}]`
      : `shrinks the index to [${String(options['number_of_shards'])}] shards`,
};
