/** Deepest nesting of a body of the dashboard's own calls. */
const DEPTH_MAX = 50;
const REFUSED_KEYS: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);

/** Thrown for a body that is not taken; the message goes to the caller. */
export class BodyError extends Error {
  override readonly name = 'BodyError';
}

/** Parses JSON from a browser. Throws BodyError for what is no JSON, nested too deeply, or names prototypes. */
export function parseBody(text: string): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new BodyError(`The body is no JSON: ${(error as Error).message}`);
  }
  checkJson(value);
  return value;
}

/** Throws BodyError for a parsed body that is nested too deeply or names prototypes. */
export const checkJson = (value: unknown): void => check(value, 0);

function check(value: unknown, depth: number): void {
  if (typeof value !== 'object' || value === null) return;
  if (depth >= DEPTH_MAX) throw new BodyError(`The body is nested more than ${DEPTH_MAX} levels deep.`);
  for (const [key, inner] of Object.entries(value)) {
    if (REFUSED_KEYS.has(key)) throw new BodyError(`The body has a key [${key}].`);
    check(inner, depth + 1);
  }
}

/** Kinds of members that `readObject` knows. */
interface Kinds {
  readonly string: string;
  readonly object: Readonly<Record<string, unknown>>;
}

/** Members of an object by name and kind; a `?` at the end of a kind makes it optional. */
export function readObject<const T extends Readonly<Record<string, 'string' | 'string?' | 'object'>>>(
  value: unknown,
  members: T,
): { readonly [K in keyof T]: T[K] extends 'string?' ? string | undefined : Kinds[T[K] & keyof Kinds] } {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new BodyError('The body must be an object.');
  const object = value as Record<string, unknown>;
  const unknown = Object.keys(object).find((key) => !Object.hasOwn(members, key));
  if (unknown !== undefined) throw new BodyError(`The body has an unknown key [${unknown}].`);
  for (const [name, kind] of Object.entries(members)) {
    const found = object[name];
    if (found === undefined && kind.endsWith('?')) continue;
    const isRight = kind === 'object' ? typeof found === 'object' && found !== null : typeof found === 'string';
    if (!isRight) throw new BodyError(`[${name}] must be ${kind === 'object' ? 'an object' : 'a text'}.`);
  }
  return object as never;
}
