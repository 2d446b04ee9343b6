import type { JsonObject } from '@shoal/json';

/** Counters of a transform since it was made, by their names in `_stats`. */
export interface TransformCounters {
  pages_processed: number;
  documents_processed: number;
  documents_indexed: number;
  documents_deleted: number;
  trigger_count: number;
  index_time_in_ms: number;
  index_total: number;
  index_failures: number;
  search_time_in_ms: number;
  search_total: number;
  search_failures: number;
  processing_time_in_ms: number;
  processing_total: number;
  delete_time_in_ms: number;
  exponential_avg_checkpoint_duration_ms: number;
  exponential_avg_documents_indexed: number;
  exponential_avg_documents_processed: number;
}

/** A checkpoint that is being made. */
export interface OpenCheckpoint {
  readonly checkpoint: number;
  readonly startedMs: number;
  /** End of what the checkpoint covers, in milliseconds. */
  readonly toMs: number;
  /** The key behind which the next page of all groups begins; null for the first. */
  after: JsonObject | null;
  /** Documents that the checkpoint covers; null before they are counted. */
  totalDocs: number | null;
  docsProcessed: number;
  docsIndexed: number;
}

/** Returns how far a checkpoint is, in the form of `_stats`; null before its documents are counted. */
export function progressOf({ totalDocs, docsProcessed, docsIndexed }: OpenCheckpoint): JsonObject | null {
  // A node of an earlier build may have begun the checkpoint.
  if (typeof totalDocs !== 'number') return null;
  const remaining = Math.max(0, totalDocs - docsProcessed);
  return {
    docs_remaining: remaining,
    total_docs: totalDocs,
    percent_complete: remaining === 0 ? 100 : (100 * docsProcessed) / totalDocs,
    docs_indexed: docsIndexed,
    docs_processed: docsProcessed,
  };
}

/** Where a transform is. Kept in a document, so that another node goes on from here. */
export interface TransformProgress {
  /** Checkpoints that are complete. */
  checkpoint: number;
  /** The last complete one: when it began, and the end of what it covers. */
  last: { readonly startedMs: number; readonly toMs: number } | null;
  open: OpenCheckpoint | null;
  changesDetectedMs: number | null;
  lastSearchMs: number | null;
  readonly stats: TransformCounters;
}

/** The progress of a transform that has not begun. */
export function freshProgress(): TransformProgress {
  return {
    checkpoint: 0,
    last: null,
    open: null,
    changesDetectedMs: null,
    lastSearchMs: null,
    stats: {
      pages_processed: 0,
      documents_processed: 0,
      documents_indexed: 0,
      documents_deleted: 0,
      trigger_count: 0,
      index_time_in_ms: 0,
      index_total: 0,
      index_failures: 0,
      search_time_in_ms: 0,
      search_total: 0,
      search_failures: 0,
      processing_time_in_ms: 0,
      processing_total: 0,
      delete_time_in_ms: 0,
      exponential_avg_checkpoint_duration_ms: 0,
      exponential_avg_documents_indexed: 0,
      exponential_avg_documents_processed: 0,
    },
  };
}

/** Weight of the newest checkpoint in the averages, as in 8.12. */
const NEWEST = 2 / 11;

/** Notes a complete checkpoint and what it took. */
export function completeCheckpoint(
  progress: TransformProgress,
  open: OpenCheckpoint,
  took: { readonly durationMs: number; readonly indexed: number; readonly processed: number },
): void {
  const { stats } = progress;
  const average = (before: number, value: number): number =>
    progress.checkpoint === 0 ? value : before + NEWEST * (value - before);
  stats.exponential_avg_checkpoint_duration_ms = average(stats.exponential_avg_checkpoint_duration_ms, took.durationMs);
  stats.exponential_avg_documents_indexed = average(stats.exponential_avg_documents_indexed, took.indexed);
  stats.exponential_avg_documents_processed = average(stats.exponential_avg_documents_processed, took.processed);
  progress.checkpoint = open.checkpoint;
  progress.last = { startedMs: open.startedMs, toMs: open.toMs };
  progress.open = null;
}
