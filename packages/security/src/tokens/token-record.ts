import type { RealmRef, User } from '../authentication.js';
import type { SecurityDocument } from '../documents.js';

/** Access token and refresh token of one grant, the source of a document of `.security-tokens-7`. */
export interface TokenRecord {
  readonly doc_type: 'token';
  readonly creation_time: number;
  readonly access_expires: number;
  /** Null: the token cannot be refreshed. */
  readonly refresh_expires: number | null;
  readonly access_hash: string;
  readonly refresh_hash: string | null;
  readonly invalidated: boolean;
  /** Whether the refresh token was used already. */
  readonly refreshed: boolean;
  readonly principal: string;
  readonly realm: string;
  readonly realm_type: string;
  /**
   * The user at the time of the grant. `run_by` is the user that acted as it; `run_by` is inside `user` because indices
   * that an earlier version created accept no new top-level field.
   */
  readonly user: User & { readonly run_by?: { readonly user: User; readonly realm: RealmRef } };
  readonly client: { readonly username: string; readonly realm: RealmRef };
  /** Milliseconds since 1970 from which the document can be deleted. */
  readonly useless_from: number;
}

/** Mapping of `.security-tokens-7`. */
export const TOKENS_MAPPING: Readonly<Record<string, unknown>> = {
  dynamic: 'strict',
  properties: {
    doc_type: { type: 'keyword' },
    creation_time: { type: 'date', format: 'epoch_millis' },
    access_expires: { type: 'date', format: 'epoch_millis' },
    refresh_expires: { type: 'date', format: 'epoch_millis' },
    useless_from: { type: 'date', format: 'epoch_millis' },
    access_hash: { type: 'keyword', index: false, doc_values: false },
    refresh_hash: { type: 'keyword', index: false, doc_values: false },
    invalidated: { type: 'boolean' },
    refreshed: { type: 'boolean' },
    principal: { type: 'keyword' },
    realm: { type: 'keyword' },
    realm_type: { type: 'keyword' },
    user: { type: 'object', enabled: false },
    client: { type: 'object', enabled: false },
  },
};

/** The record in a document of `.security-tokens-7`. */
export function tokenRecord(document: SecurityDocument): TokenRecord {
  return document.source as unknown as TokenRecord;
}
