import { type ApiError, errors } from '@shoal/errors';
import type { Authentication } from '../authentication.js';

/** Somebody wanted to act as another user and may not. */
export interface RunAsDenial {
  readonly by: Authentication;
  readonly username: string;
  /** Of the other user; null where it is not known. */
  readonly realm: string | null;
  /** Null: refused before anything was asked of the other user's rights. */
  readonly action: string | null;
}

/** Answers name neither the realm nor whether there is such a user: this is for the audit trail. */
const DENIAL = Symbol('run-as denial');

/** Makes `runAsDenialOf` recognise an error. */
export function asRunAsDenial(error: ApiError, denial: RunAsDenial): ApiError {
  return Object.assign(error, { [DENIAL]: denial });
}

/** The 403 of a denial. */
export function runAsDenied(denial: RunAsDenial, reason: string): ApiError {
  return asRunAsDenial(errors.security(reason), denial);
}

/** The denial that an error is about; null for all others. */
export function runAsDenialOf(error: unknown): RunAsDenial | null {
  return (error as { readonly [DENIAL]?: RunAsDenial } | null)?.[DENIAL] ?? null;
}
