import { type ApiError, decodeError, encodeError, type WireError as ErrorJson } from '@shoal/errors';
import { decodeJson, encodeJson } from '@shoal/json';
import { decodeWireError, type WireError } from './generated/shard.js';

/** Where a message has an error beside each of several things: this one has none. */
export const NO_ERROR: WireError = decodeWireError(new Uint8Array(0));

/** The message of an error that was thrown. */
export function errorMessage(thrown: unknown): WireError {
  return messageOf(encodeError(thrown));
}

/** The error that a message tells. */
export function errorOf(message: WireError): ApiError {
  return decodeError(jsonOf(message));
}

/** The message of an error in the JSON that version 1 has for it. */
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

/** The JSON that version 1 has for an error. */
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
