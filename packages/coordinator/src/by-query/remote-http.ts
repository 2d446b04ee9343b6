import type { RemoteSource } from './remote-source.js';

/** A request to another cluster. */
export interface RemoteRequest {
  readonly source: RemoteSource;
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** With its query string; behind the prefix of the source. */
  readonly path: string;
  readonly body: Uint8Array;
}

/** An answer of another cluster. */
export interface RemoteAnswer {
  readonly status: number;
  readonly body: Uint8Array;
}

/**
 * Sends requests to other clusters. Follows no redirects. Rejects with an ApiError if the cluster cannot be reached, is
 * silent for too long, or answers with more than 100 MB.
 */
export type RemoteHttp = (request: RemoteRequest, signal: AbortSignal) => Promise<RemoteAnswer>;
