/** The restricted indices that hold API keys, tokens and user profiles. */
export type SecurityIndex = '.security-7' | '.security-tokens-7' | '.security-profile-8';

/** A document of a restricted index. */
export interface SecurityDocument {
  readonly id: string;
  readonly source: Readonly<Record<string, unknown>>;
  readonly seqNo: number;
  readonly primaryTerm: number;
  /** Sort values of the hit, if the search asked for an order. */
  readonly sort?: readonly unknown[];
}

/**
 * When searches see a change: at once (`refresh=true`), before the call returns (`wait_for`), or with the next refresh.
 */
export type WhenVisible = 'now' | 'wait' | 'later';

/** Hits of a search of a restricted index. */
export interface DocumentSearchResult {
  readonly total: number;
  readonly documents: readonly SecurityDocument[];
}

/** The restricted indices, created on first use, which the node reads and writes by itself. */
export interface SecurityDocuments {
  /** The latest version of a document (real-time get); null if it does not exist. */
  get(index: SecurityIndex, id: string): Promise<SecurityDocument | null>;
  /** Writes a document that does not exist yet. Rejects with a version conflict if it exists. */
  create(
    index: SecurityIndex,
    id: string,
    source: Readonly<Record<string, unknown>>,
    visible: WhenVisible,
  ): Promise<void>;
  /** Replaces the version that was read; false if the document was changed or removed since. */
  replace(
    index: SecurityIndex,
    read: SecurityDocument,
    source: Readonly<Record<string, unknown>>,
    visible: WhenVisible,
  ): Promise<boolean>;
  /** Deletes a document; does nothing if it does not exist. */
  remove(index: SecurityIndex, id: string): Promise<void>;
  /** Runs a search body; no hits while the index does not exist. */
  search(index: SecurityIndex, body: Readonly<Record<string, unknown>>): Promise<DocumentSearchResult>;
}
