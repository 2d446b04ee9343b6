import { isActive, isRelocationTarget, type ShardRouting } from '@shoal/state';

/** Counts of the copies of an index, for allocation. */
export interface TableSummary {
  /** Copies by node. A relocating copy counts on its target node only. */
  readonly counts: ReadonlyMap<string, number>;
  /** Nodes with a copy, the source nodes of relocations included. */
  readonly holders: ReadonlySet<string>;
  /** Sum of `counts`. */
  readonly assigned: number;
  readonly unassigned: number;
  readonly unassignedPrimaries: number;
  /** Unassigned copies that wait for their node, or after a failure. */
  readonly waiting: number;
  readonly initializing: number;
  readonly relocating: number;
  readonly inactivePrimaries: number;
  /** Copies that have failed to start or to relocate. */
  readonly failures: number;
  /** Copies that are not active, targets of relocations not counted. */
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

/** Returns the summary of a routing table. Computed once for each table, as tables are immutable. */
export function tableSummary(table: Table): TableSummary {
  let summary = summaries.get(table);
  if (!summary) {
    summary = summarize(table);
    summaries.set(table, summary);
  }
  return summary;
}
