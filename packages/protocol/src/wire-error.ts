import { type ApiError, decodeError, encodeError, type WireError as ErrorJson } from '@shoal/errors';
import { decodeJson, encodeJson } from '@shoal/json';
import { decodeWireError, type WireError } from './generated/shard.js';

/** Stands for "no error" in a list that has an error for each of several things. */
export const NO_ERROR: WireError = decodeWireError(new Uint8Array(0));

/** Converts a thrown error to its message. */
export function errorMessage(thrown: unknown): WireError {
  return messageOf(encodeError(thrown));
}

/** Converts a message to the error. */
export function errorOf(message: WireError): ApiError {
  return decodeError(jsonOf(message));
}

/** Converts an error from the JSON of version 1 to its message. */
export function messageOf({ type, status, reason, elastic, meta, cause, roots, suppressed }: ErrorJson): WireError {
  return {
    type,
    status,
    reason: reason ?? undefined,
    elastic,
    meta: encodeJson(meta),
    cause: cause && messageOf(cause),
    roots: (roots ?? []).map(messageOf),
    suppressed: (suppressed ?? []).map(messageOf),
  };
}

/** Converts the message of an error to the JSON of version 1. */
export function jsonOf({ type, status, reason, elastic, meta, cause, roots, suppressed }: WireError): ErrorJson {
  return {
    type,
    status,
    reason: reason ?? null,
    elastic,
    meta: (decodeJson(meta) ?? {}) as ErrorJson['meta'],
    ...(cause ? { cause: jsonOf(cause) } : {}),
    ...(roots.length > 0 ? { roots: roots.map(jsonOf) } : {}),
    ...(suppressed.length > 0 ? { suppressed: suppressed.map(jsonOf) } : {}),
  };
}
