import { errors } from '@shoal/errors';

/** Returns the number of a JSON number or text. Throws number_format_exception. */
export function numberOf(value: unknown): number {
  if (typeof value === 'number') return value;
  if (typeof value === 'bigint') return Number(value);
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : Number.NaN;
  if (value === '') throw errors.numberFormat('empty String');
  if (Number.isNaN(number)) throw errors.numberFormat(`For input string: "${String(value)}"`);
  return number;
}

/** Returns the integer of a JSON number or text; fractions are cut. Throws number_format_exception. */
export function integerOf(value: unknown): number {
  return Math.trunc(numberOf(value));
}
