/** Kind of a write; see `WriteItem.op` for its numbers. */
export type WriteOp = 'index' | 'create' | 'update' | 'delete';

/** How the version of a write is compared with that of the document. */
export type VersionType = 'internal' | 'external' | 'external_gte';

/** The parameter `refresh`: `false` (none), `true` (now) or `wait_for` (wait). */
export type Refresh = 'none' | 'now' | 'wait';

/** Number of copies that must be active before a write starts. */
export type ActiveShardCount = number | 'all';

/** Options of all writes of a call. */
export interface WriteOptions {
  readonly refresh: Refresh;
  readonly timeoutMs: number;
  /** Number of copies that must be active; null for the setting of the index. */
  readonly waitForActiveShards: ActiveShardCount | null;
  /** Whether refused documents are kept; absent: as the setting of their index says. */
  readonly quarantine?: boolean;
}

/** One write before it is routed. */
export interface WriteOperation {
  readonly op: WriteOp;
  readonly index: string;
  /** Id of the document; null to generate one. */
  readonly id: string | null;
  readonly routing: string | null;
  readonly requireAlias: boolean;
  /** Ingest pipeline; null for the default of the index. */
  readonly pipeline: string | null;
  readonly version: number | null;
  readonly versionType: VersionType;
  readonly ifSeqNo: number | null;
  readonly ifPrimaryTerm: number | null;
  readonly retryOnConflict: number;
  /** JSON of the document or of the body of an update; empty for a delete. */
  readonly source: Uint8Array;
  /** Source filter for an update that returns the document. */
  readonly updateSource: unknown;
  readonly dynamicTemplates: Readonly<Record<string, unknown>> | null;
  /** Names of the pipelines that ran, in order, to be listed in the answer; null if it does not list them. */
  readonly executedPipelines: readonly string[] | null;
  /** Whether an update answers its document instead of writing it; absent in all other operations. */
  readonly isPrepared?: true;
  /** Whether the routing of an update becomes that of its document, as 8.12 has it outside of bulks. */
  readonly keepsRouting?: true;
}

/** A single write with its options. */
export interface WriteRequest extends WriteOptions {
  readonly operation: WriteOperation;
}

/** Answer of a single write. */
export interface WriteAnswer {
  readonly status: number;
  readonly chunks: readonly Uint8Array[];
  /** Path of a created document; null otherwise. */
  readonly location: string | null;
}
