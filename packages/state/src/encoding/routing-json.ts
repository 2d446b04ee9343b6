import type { AllocationStatus, ShardRouting, UnassignedInfo } from '../state.js';

const STATES: readonly ShardRouting['state'][] = ['UNASSIGNED', 'INITIALIZING', 'STARTED', 'RELOCATING'];
const SOURCES: readonly ShardRouting['recoverySource'][] = [
  null,
  'EMPTY_STORE',
  'EXISTING_STORE',
  'PEER',
  'LOCAL_SHARDS',
  'SNAPSHOT',
];
const STATUSES: readonly (AllocationStatus | undefined)[] = [
  undefined,
  'no_attempt',
  'fetching_shard_data',
  'no_valid_shard_copy',
  'deciders_no',
  'deciders_throttled',
  'delayed_allocation',
];

const PRIMARY = 1;
const FORCED = 2;

/**
 * A copy in a difference between states: flags, state, node, node of the other half of a relocation, allocation id,
 * recovery source, why it is unassigned, failed relocations. Repeated strings are numbers of a `TextTable`, -1 for
 * none.
 */
type CopyRow = readonly [
  flags: number,
  state: number,
  node: number,
  relocating: number,
  allocationId: string | 0,
  source: number,
  info: InfoRow | 0,
  relocationFailures: number,
];
type InfoRow = readonly [
  reason: number,
  atMs: number,
  details: number,
  failedAttempts: number,
  delayed: number,
  retry: number,
  lastNode: number,
  failedNodes: readonly number[] | 0,
  status: number,
];

/** Copies of one shard, one row each. */
export type ShardRows = readonly CopyRow[];

/** Repeated strings, numbered in order of their first use. */
export class TextTable {
  readonly texts: string[];
  readonly #numbers = new Map<string, number>();

  constructor(texts: readonly string[] = []) {
    this.texts = [...texts];
  }

  number(text: string | null | undefined): number {
    if (text === null || text === undefined) return -1;
    let number = this.#numbers.get(text);
    if (number === undefined) {
      number = this.texts.push(text) - 1;
      this.#numbers.set(text, number);
    }
    return number;
  }

  text(number: number): string | null {
    return number < 0 ? null : this.texts[number]!;
  }
}

function infoRow(info: UnassignedInfo, texts: TextTable): InfoRow {
  return [
    texts.number(info.reason),
    info.atMs,
    texts.number(info.details),
    info.failedAttempts,
    info.delayedUntilMs ?? -1,
    info.retryAtMs ?? -1,
    texts.number(info.lastNodeId),
    info.failedNodeIds ? info.failedNodeIds.map((id) => texts.number(id)) : 0,
    STATUSES.indexOf(info.status),
  ];
}

function infoOf(
  [reason, atMs, details, failedAttempts, delayed, retry, lastNode, failedNodes, status]: InfoRow,
  texts: TextTable,
): UnassignedInfo {
  const allocation = STATUSES[status];
  return {
    reason: texts.text(reason)!,
    atMs,
    details: texts.text(details),
    failedAttempts,
    ...(delayed < 0 ? {} : { delayedUntilMs: delayed }),
    ...(retry < 0 ? {} : { retryAtMs: retry }),
    ...(lastNode < 0 ? {} : { lastNodeId: texts.text(lastNode)! }),
    ...(failedNodes === 0 ? {} : { failedNodeIds: failedNodes.map((number) => texts.text(number)!) }),
    ...(allocation === undefined ? {} : { status: allocation }),
  };
}

/**
 * Converts the copies of one shard to rows. Index and shard are not part of a row: the place in the difference gives
 * them.
 */
export function shardRows(copies: readonly ShardRouting[], texts: TextTable): ShardRows {
  return copies.map(
    (copy): CopyRow => [
      (copy.primary ? PRIMARY : 0) | (copy.isForced ? FORCED : 0),
      STATES.indexOf(copy.state),
      texts.number(copy.nodeId),
      texts.number(copy.relocatingNodeId),
      copy.allocationId ?? 0,
      SOURCES.indexOf(copy.recoverySource),
      copy.unassigned ? infoRow(copy.unassigned, texts) : 0,
      copy.relocationFailures ?? 0,
    ],
  );
}

/** Converts the rows of `shardRows` back to copies. */
export function shardOfRows(rows: ShardRows, indexUuid: string, shard: number, texts: TextTable): ShardRouting[] {
  return rows.map(
    ([flags, state, node, relocating, allocationId, source, info, relocationFailures]): ShardRouting => ({
      indexUuid,
      shard,
      primary: (flags & PRIMARY) !== 0,
      state: STATES[state]!,
      nodeId: texts.text(node),
      relocatingNodeId: texts.text(relocating),
      allocationId: allocationId === 0 ? null : allocationId,
      recoverySource: SOURCES[source]!,
      ...((flags & FORCED) === 0 ? {} : { isForced: true as const }),
      ...(relocationFailures === 0 ? {} : { relocationFailures }),
      unassigned: info === 0 ? null : infoOf(info, texts),
    }),
  );
}
