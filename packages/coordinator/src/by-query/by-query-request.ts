import type { ScriptSource } from '@shoal/script';
import type { ActiveShardCount, VersionType } from '../bulk/write-request.js';
import type { RemoteSource } from './remote-source.js';
import type { IndexExpression } from '../index-expression.js';

/** What is done to the documents that a query finds. */
export type ByQueryKind = 'delete' | 'update' | 'reindex';

/** Where `_reindex` writes to. */
export interface ReindexTarget {
  readonly index: string;
  readonly opType: 'index' | 'create';
  readonly versionType: VersionType;
  /** `keep`, `discard` or `=value`; null is `keep`. */
  readonly routing: string | null;
  readonly requireAlias: boolean;
}

/** A call of `_delete_by_query`, `_update_by_query` or `_reindex`, parsed and validated. */
export interface ByQueryRequest {
  readonly kind: ByQueryKind;
  readonly source: IndexExpression;
  /** The cluster that has the source; null for this one. */
  readonly remote: RemoteSource | null;
  /** Members of the search's body: `query`, `_source`, `sort`, `slice`, `runtime_mappings`. */
  readonly search: Readonly<Record<string, unknown>>;
  readonly routing: string | null;
  readonly preference: string | null;
  readonly target: ReindexTarget | null;
  readonly script: ScriptSource | null;
  readonly pipeline: string | null;
  /** Whether version conflicts are counted instead of ending the call. */
  readonly proceedsOnConflict: boolean;
  /** Documents at most; null for all. */
  readonly maxDocs: number | null;
  /** Documents a page. */
  readonly pageSize: number;
  /** Parts that run side by side. */
  readonly slices: number | 'auto';
  /** Documents a second; Infinity for no limit. */
  readonly requestsPerSecond: number;
  readonly refresh: boolean;
  readonly timeoutMs: number;
  readonly waitForActiveShards: ActiveShardCount | null;
  readonly keepAliveMs: number;
}
