/** Counters of a processor, a pipeline or all pipelines of a node, as `_nodes/stats/ingest` shows them. */
export class IngestCounters {
  /** Runs that ended. */
  count = 0;
  /** Time of the runs that ended, in milliseconds. */
  timeMs = 0;
  /** Runs that have begun and not ended. */
  current = 0;
  /** Runs that ended with an error. */
  failed = 0;

  /** Counts a run that ended. */
  add(tookMs: number, hasFailed: boolean): void {
    this.count++;
    this.timeMs += tookMs;
    if (hasFailed) this.failed++;
  }

  /** Takes over the figures of another object: those of a pipeline survive its update. */
  take(other: IngestCounters): void {
    this.count = other.count;
    this.timeMs = other.timeMs;
    this.failed = other.failed;
  }

  render(): { count: number; time_in_millis: number; current: number; failed: number } {
    return { count: this.count, time_in_millis: Math.floor(this.timeMs), current: this.current, failed: this.failed };
  }
}
