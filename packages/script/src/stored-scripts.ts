import { errors } from '@shoal/errors';
import type { StoredScript } from './stored-script.js';

/** Limit for the characters of all stored scripts that a request names: a name is short, its script may be long. */
const CHARS_MAX = 4 * 1024 * 1024;

type Json = Record<string, unknown>;

/**
 * The stored scripts that a request may name. Shards do not know the cluster state: while a coordinator reads a
 * request, the id of a stored script is replaced by its text in the JSON that shards then get.
 */
export class StoredScripts {
  readonly #lookup: (id: string) => StoredScript | undefined;
  #chars = 0;
  /** Whether the request names a stored script that there is. What was parsed then depends on the cluster state. */
  isUsed = false;

  /** `lookup` returns undefined for an id that no stored script has. */
  constructor(lookup: (id: string) => StoredScript | undefined) {
    this.#lookup = lookup;
  }

  /**
   * Replaces the id in the JSON of a script; does nothing if there is no such script. Throws illegal_argument_exception
   * if the stored scripts of the request are too long together.
   */
  fillIn(body: Json, id: string): void {
    const script = this.#lookup(id);
    if (script === undefined) return;
    this.isUsed = true;
    this.#chars += script.source.length;
    if (this.#chars > CHARS_MAX)
      throw errors.illegalArgument(`stored scripts of a request have more than [${CHARS_MAX}] characters`);
    delete body['id'];
    filled.add(Object.assign(body, script));
  }

  /** Whether a script is one whose id was replaced, now or when the same JSON was read before. */
  readAgain(body: Json): boolean {
    const isStored = filled.has(body);
    if (isStored) this.isUsed = true;
    return isStored;
  }
}

/** JSON of scripts whose ids were replaced. */
const filled = new WeakSet<object>();

/** The stored scripts of the request that is being read; null for none. */
let current: StoredScripts | null = null;

/** Returns the stored scripts of the request that is being read. */
export const storedScriptsInUse = (): StoredScripts | null => current;

/** Runs `read`, which may read scripts that name stored ones. */
export function withStoredScripts<T>(stored: StoredScripts | undefined, read: () => T): T {
  const before = current;
  current = stored ?? null;
  try {
    return read();
  } finally {
    current = before;
  }
}
