/** The restricted indices in which keys, tokens and profiles of users are kept. */
export type SecurityIndex = '.security-7' | '.security-tokens-7' | '.security-profile-8';

/** A document of a restricted index. */
export interface SecurityDocument {
  readonly id: string;
  readonly source: Readonly<Record<string, unknown>>;
  readonly seqNo: number;
  readonly primaryTerm: number;
  /** Sort values of a search that asked for an order. */
  readonly sort?: readonly unknown[];
}

/** When a change can be found by a search. */
export type WhenVisible = 'now' | 'wait' | 'later';

/** What a search found. */
export interface FoundDocuments {
  readonly total: number;
  readonly documents: readonly SecurityDocument[];
}

/** The restricted indices, made on first use, as the node itself reads and writes them. */
export interface SecurityDocuments {
  /** As last written; null when there is none. */
  get(index: SecurityIndex, id: string): Promise<SecurityDocument | null>;
  /** Writes a document that does not exist yet. */
  create(
    index: SecurityIndex,
    id: string,
    source: Readonly<Record<string, unknown>>,
    visible: WhenVisible,
  ): Promise<void>;
  /** Writes a document over the version that was read; false when somebody else has changed it since. */
  replace(
    index: SecurityIndex,
    read: SecurityDocument,
    source: Readonly<Record<string, unknown>>,
    visible: WhenVisible,
  ): Promise<boolean>;
  /** Deletes a document, if there is one. */
  remove(index: SecurityIndex, id: string): Promise<void>;
  /** Body of a search; nothing is found while the index does not exist. */
  search(index: SecurityIndex, body: Readonly<Record<string, unknown>>): Promise<FoundDocuments>;
}
