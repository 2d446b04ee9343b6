import * as shard from './generated/shard.js';

/** Fields that a pattern of `grant` matches and none of `except`. */
interface FieldGrant {
  readonly grant: readonly string[];
  readonly except: readonly string[];
}

/** What the caller may see of an index, as lists without messages around them; see AccessLimits in `shard.proto`. */
export interface MessageLimits {
  /** Queries as JSON. A document is seen if one query of each list matches; without lists all documents are seen. */
  readonly queries: readonly (readonly string[])[];
  /** A field is seen if one grant of each list shows the field; without lists all fields are seen. */
  readonly fields: readonly (readonly FieldGrant[])[];
  /** Milliseconds since 1970 at which the request was made. Given only if a query may depend on the time. */
  readonly nowMs?: number;
}

/** Returns the bytes of `access` in messages about shards. Equal limits have equal bytes. */
export function encodeLimits({ queries, fields, nowMs }: MessageLimits): Uint8Array {
  return shard.encodeAccessLimits({
    queries: queries.map((list) => ({ queries: [...list] })),
    fields: fields.map((list) => ({
      grants: list.map(({ grant, except }) => ({ grant: [...grant], except: [...except] })),
    })),
    nowMs,
  });
}

/** Returns the limits that `encodeLimits` wrote. */
export function decodeLimits(bytes: Uint8Array): MessageLimits {
  const { queries, fields, nowMs } = shard.decodeAccessLimits(bytes);
  return {
    queries: queries.map((list) => list.queries),
    fields: fields.map(({ grants }) => grants),
    ...(nowMs === undefined ? {} : { nowMs }),
  };
}
