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
 * A copy in the difference of two states: flags, state, place, place of the other half of a move, allocation id,
 * source, why it was unassigned, moves that failed. Texts that recur are numbers, -1 for none.
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

/** Copies of a shard as rows. */
export type ShardRows = readonly CopyRow[];

/** Texts that recur, numbered in the order of their first use. */
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

/** Copies of one shard as rows; index and shard are known from where the rows stand. */
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

/** The inverse of `shardRows`. */
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
