/** What a write does; the numbers are those of `WriteItem.op`. */
export type WriteOp = 'index' | 'create' | 'update' | 'delete';

export type VersionType = 'internal' | 'external' | 'external_gte';

/** `false`, `true` or `wait_for`. */
export type Refresh = 'none' | 'now' | 'wait';

/** Numbers of copies that must be active before a write starts. */
export type ActiveShardCount = number | 'all';

/** What goes for all writes of a call. */
export interface WriteOptions {
  readonly refresh: Refresh;
  readonly timeoutMs: number;
  /** Null: the index's own setting. */
  readonly waitForActiveShards: ActiveShardCount | null;
}

/** One write before it is routed. */
export interface WriteOperation {
  readonly op: WriteOp;
  readonly index: string;
  /** Null: made up here. */
  readonly id: string | null;
  readonly routing: string | null;
  readonly requireAlias: boolean;
  /** Null: the index's default pipeline. */
  readonly pipeline: string | null;
  readonly version: number | null;
  readonly versionType: VersionType;
  readonly ifSeqNo: number | null;
  readonly ifPrimaryTerm: number | null;
  readonly retryOnConflict: number;
  /** Bytes of the document or of an update's body; empty for a delete. */
  readonly source: Uint8Array;
  /** Source filter of an update that answers with the document. */
  readonly updateSource: unknown;
  readonly dynamicTemplates: Readonly<Record<string, unknown>> | null;
}

export interface WriteRequest extends WriteOptions {
  readonly operation: WriteOperation;
}

export interface WriteAnswer {
  readonly status: number;
  readonly chunks: readonly Uint8Array[];
  /** Path of a document that was created. */
  readonly location: string | null;
}
