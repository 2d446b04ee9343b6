import { type ApiError, errors } from '@shoal/errors';
import type { Authentication } from '../authentication.js';

/** Somebody wanted to act as another user and may not. */
export interface RunAsDenial {
  readonly by: Authentication;
  readonly username: string;
  /** Of the other user; null where it is not known. */
  readonly realm: string | null;
  readonly action: string;
}

/** Answers name neither the realm nor whether there is such a user: this is for the audit trail. */
const DENIAL = Symbol('run-as denial');

/** The 403 of a denial, which `runAsDenialOf` recognises. */
export function runAsDenied(denial: RunAsDenial, reason: string): ApiError {
  return Object.assign(errors.security(reason), { [DENIAL]: denial });
}

/** The denial that an error is about; null for all others. */
export function runAsDenialOf(error: unknown): RunAsDenial | null {
  return (error as { readonly [DENIAL]?: RunAsDenial } | null)?.[DENIAL] ?? null;
}
