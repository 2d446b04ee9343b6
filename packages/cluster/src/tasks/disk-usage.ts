import type { AllocationContext } from '../allocation/context.js';
import { tableSummary } from '../allocation/table-summary.js';
import { refreshBlocks } from '../metadata/refresh-blocks.js';
import { withoutKeys, withIndices } from '../metadata/edit-state.js';
import { clusterSetting, indexSetting, isTrue, type ClusterState, type IndexMetadata } from '@shoal/state';
import { requiredFreeBytes, type WatermarkName, watermark } from '../allocation/watermarks.js';
import { ACKNOWLEDGED, defineTask, type TaskContext, type TaskResult } from './task.js';

const BLOCK = 'index.blocks.read_only_allow_delete';
const IGNORE = 'index.routing.allocation.disk.watermark.ignore';

/** Returns the nodes whose free disk space is below a watermark. */
function nodesAbove(state: ClusterState, context: AllocationContext, name: WatermarkName): ReadonlySet<string> {
  const mark = watermark(state, name, context.nodeSettings);
  return new Set(
    [...state.nodes.keys()].filter((id) => {
      const usage = context.disk?.(id);
      return usage !== null && usage !== undefined && usage.freeBytes < requiredFreeBytes(mark, usage.totalBytes);
    }),
  );
}

function withBlock(meta: IndexMetadata, isBlocked: boolean): IndexMetadata {
  const settings = isBlocked ? { ...meta.settings, [BLOCK]: 'true' } : withoutKeys(meta.settings, new Set([BLOCK]));
  return { ...meta, settings, version: meta.version + 1, settingsVersion: meta.settingsVersion + 1 };
}

/**
 * Adds or removes the flood-stage block of an index. The block is removed only if the disks of all its nodes are known
 * and below the high watermark.
 */
function adjusted(
  state: ClusterState,
  meta: IndexMetadata,
  context: AllocationContext,
  flooded: ReadonlySet<string>,
  high: ReadonlySet<string>,
): IndexMetadata {
  const holders = [...tableSummary(state.routing.get(meta.uuid) ?? []).holders];
  const isBlocked = isTrue(meta.settings, BLOCK);
  const isIgnored = indexSetting(meta.settings, IGNORE) === 'true';
  if (!isBlocked) return !isIgnored && holders.some((id) => flooded.has(id)) ? withBlock(meta, true) : meta;
  const isRelieved = holders.length > 0 && holders.every((id) => !high.has(id) && context.disk?.(id));
  return isRelieved ? withBlock(meta, false) : meta;
}

function apply(state: ClusterState, _body: unknown, context: TaskContext): TaskResult {
  const isEnabled =
    clusterSetting(state, 'cluster.routing.allocation.disk.threshold_enabled', context.nodeSettings) === 'true';
  if (!isEnabled || !context.disk) return { state, answer: ACKNOWLEDGED };
  const flooded = nodesAbove(state, context, 'flood_stage');
  const high = nodesAbove(state, context, 'high');
  const changed = [...state.indices.values()].flatMap((meta) => {
    const next = meta.state === 'open' ? adjusted(state, meta, context, flooded, high) : meta;
    return next === meta ? [] : [next];
  });
  const next =
    changed.length === 0
      ? state
      : refreshBlocks(
          withIndices(state, changed),
          changed.map((meta) => meta.uuid),
        );
  return { state: next, answer: ACKNOWLEDGED, reroute: 'all' };
}

/**
 * Applies new disk usage: indices on a node above the flood stage are blocked until there is space again, and copies
 * may move.
 */
export const diskUsage = defineTask<unknown>({
  name: 'disk-usage',
  priority: 'LOW',
  source: () => 'disk-usage',
  apply,
});
