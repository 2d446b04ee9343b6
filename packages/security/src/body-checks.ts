import { type ApiError, errors } from '@shoal/errors';

/** Throws for members of a body that the call does not have. */
export function checkKeys(
  body: Readonly<Record<string, unknown>>,
  known: readonly string[],
  refuse: (key: string) => ApiError,
): void {
  const unknown = Object.keys(body).find((key) => !known.includes(key));
  if (unknown !== undefined) throw refuse(unknown);
}

/** Throws `Validation Failed: 1: a;2: b;` if there are faults. */
export function failValidation(
  problems: readonly string[],
  kind: 'actionRequestValidation' | 'validation' = 'actionRequestValidation',
): void {
  if (problems.length > 0)
    throw errors[kind](`Validation Failed: ${problems.map((text, i) => `${i + 1}: ${text};`).join('')}`);
}
