/** Fields that a role shows: those that a pattern of `grant` matches and none of `except`. */
export interface FieldGrant {
  readonly grant: readonly string[];
  readonly except: readonly string[];
}

/** What a caller may see of an index. Travels with the messages to its shards. */
export interface AccessLimits {
  /** Queries in JSON: a document is seen when of each list at least one matches. No list: all documents. */
  readonly queries: readonly (readonly string[])[];
  /** A field is seen when of each list at least one shows it. No list: all fields. */
  readonly fields: readonly (readonly FieldGrant[])[];
}
