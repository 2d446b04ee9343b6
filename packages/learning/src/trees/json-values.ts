/** Values of definitions of models; what is of another kind is refused with the name of its member. */
import { errors } from '@shoal/errors';

export type Json = Readonly<Record<string, unknown>>;

export const refuse = (reason: string): Error => errors.illegalArgument(reason);

export const objectOf = (value: unknown, what: string): Json => {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Json;
  throw refuse(`[${what}] must be an object`);
};

export const listOf = (value: unknown, what: string): readonly unknown[] => {
  if (Array.isArray(value)) return value as readonly unknown[];
  throw refuse(`[${what}] must be an array`);
};

export function textOf(value: unknown, what: string): string {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return String(value);
  throw refuse(`[${what}] must be a string`);
}

export const textsOf = (value: unknown, what: string): string[] => listOf(value, what).map((one) => textOf(one, what));

/** A number, or a string of one. */
export function numberIn(value: unknown, what: string): number {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  if (typeof number === 'number' && Number.isFinite(number)) return number;
  throw refuse(`[${what}] must be a number`);
}

export const numbersOf = (value: unknown, what: string): Float64Array =>
  Float64Array.from(listOf(value, what), (one) => numberIn(one, what));
