import type { ShardRouting } from '../state.js';
import { isActive, isRelocationTarget } from './copies.js';

/** What allocation has to know of an index at a glance. */
export interface TableSummary {
  /** Copies by node: those that initialize included, those that move away not. */
  readonly counts: ReadonlyMap<string, number>;
  /** Nodes that any copy is on. */
  readonly holders: ReadonlySet<string>;
  /** Sum of `counts`. */
  readonly assigned: number;
  readonly unassigned: number;
  readonly unassignedPrimaries: number;
  /** Copies that wait for their node, or rest after a failure. */
  readonly waiting: number;
  readonly initializing: number;
  readonly relocating: number;
  readonly inactivePrimaries: number;
  /** Copies that failed to start or to move. */
  readonly failures: number;
  /** Neither started nor the target of a move. */
  readonly inactive: number;
}

type Table = readonly (readonly ShardRouting[])[];

const summaries = new WeakMap<Table, TableSummary>();

function summarize(table: Table): TableSummary {
  const counts = new Map<string, number>();
  const holders = new Set<string>();
  const summary = {
    counts,
    holders,
    assigned: 0,
    unassigned: 0,
    unassignedPrimaries: 0,
    waiting: 0,
    initializing: 0,
    relocating: 0,
    inactivePrimaries: 0,
    inactive: 0,
    failures: 0,
  };
  for (const copies of table) {
    for (const copy of copies) {
      if (copy.nodeId !== null) holders.add(copy.nodeId);
      if (copy.nodeId !== null && copy.state !== 'RELOCATING') {
        counts.set(copy.nodeId, (counts.get(copy.nodeId) ?? 0) + 1);
        summary.assigned++;
      }
      if (copy.state === 'UNASSIGNED') {
        summary.unassigned++;
        if (copy.primary) summary.unassignedPrimaries++;
        if (copy.unassigned?.delayedUntilMs !== undefined || copy.unassigned?.retryAtMs !== undefined)
          summary.waiting++;
      } else if (copy.state === 'INITIALIZING') summary.initializing++;
      else if (copy.state === 'RELOCATING') summary.relocating++;
      if (copy.relocationFailures !== undefined || (copy.unassigned?.failedAttempts ?? 0) > 0) summary.failures++;
      if (isActive(copy) || isRelocationTarget(copy)) continue;
      summary.inactive++;
      if (copy.primary) summary.inactivePrimaries++;
    }
  }
  return summary;
}

/** The summary of a routing table; derived once for each table, as tables never change. */
export function tableSummary(table: Table): TableSummary {
  let summary = summaries.get(table);
  if (!summary) {
    summary = summarize(table);
    summaries.set(table, summary);
  }
  return summary;
}
