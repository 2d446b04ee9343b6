import { filterSource } from '@shoal/json';
import type { AnsweredSource } from './update-request.js';

/** Numbers of `WriteResult.outcome`. */
export const OUTCOME = { created: 0, updated: 1, deleted: 2, noop: 3, notFound: 4, failed: 5 } as const;

/** Whether a result is of an operation: an update that changes nothing and a failed write are none. */
export function isWritten({ outcome }: { readonly outcome: number }): boolean {
  return outcome !== OUTCOME.noop && outcome !== OUTCOME.failed;
}

/** Returns `get` of an update's answer. */
export function answeredGet(
  wanted: AnsweredSource,
  source: Uint8Array,
  at: { seqNo: number; primaryTerm: number },
): Uint8Array | undefined {
  if (wanted === null) return undefined;
  const shown =
    wanted.includes.length + wanted.excludes.length === 0
      ? source
      : filterSource(source, wanted.includes, wanted.excludes);
  return Buffer.concat([
    Buffer.from(`{"_seq_no":${at.seqNo},"_primary_term":${at.primaryTerm},"found":true,"_source":`),
    shown,
    Buffer.from('}'),
  ]);
}
