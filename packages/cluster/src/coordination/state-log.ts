/** One record of the log. */
export interface StateLogRecord {
  readonly kind: number;
  readonly payload: Uint8Array;
}

/** The durable log of a node's votes and accepted states; `store` has the implementation over files. */
export interface StateLog {
  readonly records: readonly StateLogRecord[];
  append(records: readonly StateLogRecord[]): Promise<void>;
  compact(records: readonly StateLogRecord[]): Promise<void>;
  sizeInBytes(): number;
  close(): Promise<void>;
}
