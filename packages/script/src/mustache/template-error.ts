import { type ApiError, errors } from '@shoal/errors';

/** Ends the reasons of errors at a line, counted from 1. */
export const atLine = (line: number): string => `@[query-template:${line}]`;

/** Makes the error of a template that cannot be compiled: script_exception, 400. */
export function compileError(source: string, reason: string, cause = errors.mustache(reason)): ApiError {
  return errors.script(reason, { meta: { script_stack: [], script: source, lang: 'mustache' }, cause });
}
