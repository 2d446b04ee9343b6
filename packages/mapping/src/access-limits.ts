/**
 * Visible fields of one role: those that a pattern of `grant` matches, minus those that a pattern of `except` matches.
 */
export interface FieldGrant {
  readonly grant: readonly string[];
  readonly except: readonly string[];
}

/** Document- and field-level security of a caller on one index. Sent with the messages to its shards. */
export interface AccessLimits {
  /**
   * Queries in JSON. A document is visible if it matches at least one query of each list. No list: all documents are
   * visible.
   */
  readonly queries: readonly (readonly string[])[];
  /** A field is visible if at least one grant of each list shows it. No list: all fields are visible. */
  readonly fields: readonly (readonly FieldGrant[])[];
}
