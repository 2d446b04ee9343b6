import { errors } from '@shoal/errors';

type Body = Readonly<Record<string, unknown>>;

/** A number of the body; texts are converted, fractions cut. */
export function bodyInteger(body: Body, key: string, fallback: number): number {
  const value = body[key];
  if (value === undefined) return fallback;
  const number = bodyNumber(value);
  return Math.trunc(number);
}

/** The number that a JSON number or text stands for. */
export function bodyNumber(value: unknown): number {
  if (typeof value === 'number') return value;
  if (typeof value === 'bigint') return Number(value);
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : Number.NaN;
  if (Number.isNaN(number)) throw errors.numberFormat(`For input string: "${String(value)}"`);
  return number;
}

export function bodyBoolean(body: Body, key: string, fallback: boolean): boolean {
  const value = body[key];
  if (value === undefined) return fallback;
  if (value === true || value === 'true') return true;
  if (value === false || value === 'false') return false;
  throw errors.illegalArgument(`Failed to parse value [${String(value)}] as only [true] or [false] are allowed.`);
}
