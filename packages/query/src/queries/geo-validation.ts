import { errors } from '@shoal/errors';

const METHODS = ['STRICT', 'COERCE', 'IGNORE_MALFORMED'];

/** Parses option `validation_method`. */
export function validationMethod(name: string): string {
  const upper = name.toUpperCase();
  if (METHODS.includes(upper)) return upper;
  throw errors.illegalArgument(`operator needs to be either [COERCE, IGNORE_MALFORMED, STRICT], but not [${name}]`);
}
