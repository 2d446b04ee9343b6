import { type ApiError, renderCause } from '@shoal/errors';
import { errorOf } from './entry.js';
import type { Refusal } from './refusal.js';

/** What became of the document of an entry, or would become of it. */
export type Replayed =
  | { readonly result: 'created' | 'updated' | 'deleted' | 'noop'; readonly index: string }
  | {
      readonly status: number;
      /** `type`, `reason` and the rest as answers show errors. */
      readonly cause: Readonly<Record<string, unknown>>;
      /** As entries hold the error. */
      readonly error: Readonly<Record<string, unknown>>;
    };

/** Describes a failure whose error is known. */
export function failedReplay(error: ApiError, refusal?: Pick<Refusal, 'stage' | 'at'>): Replayed {
  const { type, reason } = error;
  const described = refusal ? errorOf({ error, ...refusal }) : { type, reason };
  return { status: error.status, cause: renderCause(error), error: described };
}
