import { type ApiError, errors } from '@shoal/errors';
import type { Authentication } from '../authentication.js';

/** A refused attempt to act as another user (`es-security-runas-user`). */
export interface RunAsDenial {
  readonly by: Authentication;
  readonly username: string;
  /** Realm of the other user; null if unknown. */
  readonly realm: string | null;
  /** The action that was refused; null if the attempt was refused before any privilege was checked. */
  readonly action: string | null;
}

/**
 * Property of an error that holds its denial, for the audit trail only: answers must not reveal the realm, or whether
 * the other user exists.
 */
const DENIAL = Symbol('run-as denial');

/** Attaches a denial to an error; `runAsDenialOf` returns it. */
export function asRunAsDenial(error: ApiError, denial: RunAsDenial): ApiError {
  return Object.assign(error, { [DENIAL]: denial });
}

/** Creates the 403 of a denial. */
export function runAsDenied(denial: RunAsDenial, reason: string): ApiError {
  return asRunAsDenial(errors.security(reason), denial);
}

/** The denial attached to an error; null for other errors. */
export function runAsDenialOf(error: unknown): RunAsDenial | null {
  return (error as { readonly [DENIAL]?: RunAsDenial } | null)?.[DENIAL] ?? null;
}
