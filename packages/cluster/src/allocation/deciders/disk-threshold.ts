import { indexSetting, type ShardRouting } from '@shoal/state';
import type { Allocation, AllocationNode } from '../allocation.js';
import type { DiskUsage } from '../context.js';
import type { Decision } from '../decision.js';
import {
  bytesText,
  describeWatermark,
  percentText,
  requiredFreeBytes,
  type Watermark,
  watermark,
} from '../watermarks.js';
import type { Decider } from './decider.js';

const NAME = 'disk_threshold';

interface Disk {
  readonly totalBytes: number;
  /** Free bytes minus the bytes that recoveries in progress will still write. */
  readonly freeBytes: number;
  readonly low: Watermark;
  readonly high: Watermark;
}

const share = (disk: Disk): string => percentText(1 - disk.freeBytes / disk.totalBytes);

function isIgnored(copy: ShardRouting, allocation: Allocation): boolean {
  return (
    indexSetting(allocation.meta(copy.indexUuid)?.settings ?? {}, 'index.routing.allocation.disk.watermark.ignore') ===
    'true'
  );
}

/** Returns why the decider does not apply to the copy; null if it does. */
function exempt(copy: ShardRouting, allocation: Allocation): string | null {
  const { text } = allocation.settings;
  if (text('cluster.routing.allocation.disk.threshold_enabled') !== 'true')
    return 'the disk threshold decider is disabled';
  const single = text('cluster.routing.allocation.disk.watermark.enable_for_single_data_node') === 'true';
  if (!single && allocation.nodes.size === 1) return 'there is only a single data node present';
  return isIgnored(copy, allocation) ? 'disk watermarks are ignored on this index' : null;
}

function diskOf(usage: DiskUsage, changeBytes: number, allocation: Allocation): Disk {
  const { state, context } = allocation;
  const mark = (which: 'low' | 'high'): Watermark => watermark(state, which, context.nodeSettings);
  return {
    totalBytes: usage.totalBytes,
    freeBytes: Math.max(0, usage.freeBytes + changeBytes),
    low: mark('low'),
    high: mark('high'),
  };
}

function above(which: 'low' | 'high', disk: Disk, tail: string): string {
  const mark = disk[which];
  const required = bytesText(requiredFreeBytes(mark, disk.totalBytes));
  return (
    `the node is above the ${which} watermark cluster setting [${describeWatermark(mark, disk.totalBytes)}], ` +
    `having less than the minimum required [${required}] free space, actual free: [${bytesText(disk.freeBytes)}], ` +
    `actual used: [${share(disk)}]${tail}`
  );
}

/** Decides on a new primary: it may use the space between the low and the high watermark. */
function newPrimaryOn(disk: Disk, allocation: Allocation): Decision {
  if (disk.freeBytes < requiredFreeBytes(disk.high, disk.totalBytes))
    return allocation.decide(NAME, 'NO', () => above('high', disk, ''));
  return allocation.decide(
    NAME,
    'YES',
    () =>
      'the node is above the low watermark, but less than the high watermark, and this primary shard has never ' +
      'been allocated before',
  );
}

function canHold(copy: ShardRouting, node: AllocationNode, allocation: Allocation): Decision {
  const why = exempt(copy, allocation);
  if (why !== null) return allocation.decide(NAME, 'YES', () => why);
  const usage = allocation.context.disk?.(node.info.id);
  if (!usage) return allocation.decide(NAME, 'YES', () => 'the cluster info is unavailable');
  const disk = diskOf(usage, -node.incomingBytes, allocation);
  if (disk.freeBytes < requiredFreeBytes(disk.low, disk.totalBytes)) {
    if (copy.primary && copy.nodeId === null && copy.recoverySource === 'EMPTY_STORE')
      return newPrimaryOn(disk, allocation);
    return allocation.decide(NAME, 'NO', () => above('low', disk, ''));
  }
  const size = allocation.bytes(copy.indexUuid, copy.shard);
  const after = disk.freeBytes - size;
  const required = requiredFreeBytes(disk.high, disk.totalBytes);
  if (after < required) {
    return allocation.decide(
      NAME,
      'NO',
      () =>
        'allocating the shard to this node will bring the node above the high watermark cluster setting ' +
        `[${describeWatermark(disk.high, disk.totalBytes)}] and cause it to have less than the minimum required ` +
        `[${bytesText(required)}] of free space (free: [${bytesText(disk.freeBytes)}], used: [${share(disk)}], ` +
        `estimated shard size: [${bytesText(size)}])`,
    );
  }
  return allocation.decide(
    NAME,
    'YES',
    () =>
      `enough disk for shard on node, free: [${bytesText(disk.freeBytes)}], used: [${share(disk)}], shard size: ` +
      `[${bytesText(size)}], free after allocating shard: [${bytesText(after)}]`,
  );
}

function mayStay(copy: ShardRouting, node: AllocationNode, allocation: Allocation): Decision {
  const why = exempt(copy, allocation);
  if (why !== null) return allocation.decide(NAME, 'YES', () => why);
  const usage = allocation.context.disk?.(node.info.id);
  if (!usage) return allocation.decide(NAME, 'YES', () => 'the cluster info is unavailable');
  const disk = diskOf(usage, node.leavingBytes - node.incomingBytes, allocation);
  const required = requiredFreeBytes(disk.high, disk.totalBytes);
  if (disk.freeBytes >= required)
    return allocation.decide(
      NAME,
      'YES',
      () => `there is enough disk on this node for the shard to remain, free: [${bytesText(disk.freeBytes)}]`,
    );
  return allocation.decide(
    NAME,
    'NO',
    () =>
      'the shard cannot remain on this node because it is above the high watermark cluster setting ' +
      `[${describeWatermark(disk.high, disk.totalBytes)}] and there is less than the required ` +
      `[${bytesText(required)}] free space on node, actual free: [${bytesText(disk.freeBytes)}], actual used: ` +
      `[${share(disk)}]`,
  );
}

/** Keeps new copies off nodes above the low watermark, and moves copies away from nodes above the high one. */
export const diskThreshold: Decider = { name: NAME, canAllocate: canHold, canRemain: mayStay };
