import { errors } from '@shoal/errors';
import { JsonText, setOwn } from '@shoal/json';
import { isObject } from './java-values.js';
import { type Pause, resultInTurns } from './steps-in-turns.js';

/** A deep copy of a value of JSON. */
export interface MeasuredCopy {
  readonly value: unknown;
  /** Characters of its JSON, without the escapes of texts. */
  readonly length: number;
  /** Members of its objects and lists. */
  readonly members: number;
}

/** Members that are copied between two looks at whether the turn is over: far less than a millisecond. */
const MEMBERS_IN_STEP = 256;

/** Levels of a value. Documents come with at most as many; a value that holds itself has no end. */
const DEPTH_MAX = 1_000;

/** A container of which some members are copied. */
interface Open {
  readonly from: Readonly<Record<string | number, unknown>>;
  readonly into: Record<string | number, unknown>;
  /** Null for a list. */
  readonly keys: readonly string[] | null;
  readonly count: number;
  next: number;
}

function lengthOf(value: unknown): number {
  if (typeof value === 'string') return value.length + 2;
  return value instanceof JsonText ? value.text.length : String(value).length;
}

class Copy {
  length = 0;
  members = 0;
  readonly #stack: Open[] = [];
  readonly value: unknown;

  constructor(value: unknown) {
    this.value = this.#begin(value);
  }

  #begin(from: unknown): unknown {
    const isList = Array.isArray(from);
    if (!isList && !isObject(from)) {
      this.length += lengthOf(from);
      return from;
    }
    if (this.#stack.length >= DEPTH_MAX)
      throw errors.illegalArgument(`the document is nested deeper than [${DEPTH_MAX}] levels`);
    const keys = isList ? null : Object.keys(from);
    const count = keys === null ? (from as readonly unknown[]).length : keys.length;
    const into = (isList ? [] : {}) as Open['into'];
    this.#stack.push({ from: from as Open['from'], into, keys, count, next: 0 });
    // Brackets, and a comma between two members.
    this.length += 1 + Math.max(1, count);
    this.members += count;
    return into;
  }

  /** Copies some members. Returns false once all are copied. */
  step(): boolean {
    for (let i = 0; i < MEMBERS_IN_STEP; i++) {
      const open = this.#stack.at(-1);
      if (open === undefined) return false;
      if (open.next === open.count) this.#stack.pop();
      else this.#copyMember(open, open.next++);
    }
    return this.#stack.length > 0;
  }

  #copyMember({ from, into, keys }: Open, index: number): void {
    if (keys === null) {
      into[index] = this.#begin(from[index]);
      return;
    }
    const key = keys[index]!;
    this.length += key.length + 3;
    setOwn(into, key, this.#begin(from[key]));
  }
}

/** Copies and measures a value, in turns of the thread if it is large. */
export function measuredCopy(value: unknown, pause: Pause): MeasuredCopy | Promise<MeasuredCopy> {
  const copy = new Copy(value);
  return resultInTurns(
    () => copy.step(),
    pause,
    () => copy,
  );
}
