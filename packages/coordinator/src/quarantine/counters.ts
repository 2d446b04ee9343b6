/** What this node did with refused documents since its start. */
export interface QuarantineCounters {
  /** Documents that were kept. */
  kept: number;
  /** Documents that were to be kept and are not. */
  lost: number;
  /** Kept documents that were written by a replay. */
  replayed: number;
  /** When a loss was last told in the log, in monotonic milliseconds. */
  toldAtMs: number;
}
