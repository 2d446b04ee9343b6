import { stringify } from './stringify.js';

/** Values that are rendered at a stretch. */
const NODES_AT_ONCE = 256;
/** Members of a large container between two steps. */
const MEMBERS_IN_STEP = 16;
/** Characters of a chunk. */
const CHUNK_LENGTH = 64 * 1024;

/** Whether a value has at most `nodesMax` values within it. It looks at no more than so many. */
export function isSmallJson(value: unknown, nodesMax: number): boolean {
  return roomAfter(value, nodesMax) >= 0;
}

function roomAfter(value: unknown, room: number): number {
  if (typeof value !== 'object' || value === null || room < 0) return room - 1;
  let left = room - 1;
  if (Array.isArray(value)) for (let i = 0; i < value.length && left >= 0; i++) left = roomAfter(value[i], left);
  else
    for (const key in value) {
      left = roomAfter((value as Record<string, unknown>)[key], left);
      if (left < 0) break;
    }
  return left;
}

/** A container of which some members are rendered. */
interface Open {
  readonly container: Readonly<Record<string | number, unknown>>;
  /** Null for a list. */
  readonly keys: readonly string[] | null;
  readonly count: number;
  next: number;
  isEmpty: boolean;
}

/** Whether JSON leaves a member out. */
const isOmitted = (value: unknown): boolean => value === undefined || typeof value === 'function';

const isWhole = (value: unknown): boolean =>
  typeof (value as { readonly toJSON?: unknown } | null)?.toJSON === 'function' || isSmallJson(value, NODES_AT_ONCE);

function opened(container: object): Open {
  const keys = Array.isArray(container) ? null : Object.keys(container);
  const count = keys === null ? (container as readonly unknown[]).length : keys.length;
  return { container: container as Open['container'], keys, count, next: 0, isEmpty: true };
}

/**
 * Renders a large value as `stringify` does, as UTF-8 in chunks. Between its steps, of about a millisecond, the caller
 * may give the thread back. `render` renders its small parts.
 */
export function* stringifyInSteps(
  value: unknown,
  render: (part: unknown) => string = stringify,
): Generator<void, Uint8Array[]> {
  if (isWhole(value)) return [Buffer.from(render(value))];
  const chunks: Uint8Array[] = [];
  const stack = [opened(value as object)];
  let text = stack[0]!.keys === null ? '[' : '{';
  for (let steps = 1, open = stack.at(-1); open !== undefined; steps++, open = stack.at(-1)) {
    if (open.next === open.count) {
      text += open.keys === null ? ']' : '}';
      stack.pop();
    } else {
      const key = open.keys === null ? open.next : open.keys[open.next]!;
      open.next++;
      const member = open.container[key];
      if (open.keys !== null && isOmitted(member)) continue;
      text += `${open.isEmpty ? '' : ','}${open.keys === null ? '' : `${JSON.stringify(key)}:`}`;
      open.isEmpty = false;
      if (isWhole(member)) text += render(member);
      else {
        stack.push(opened(member as object));
        text += Array.isArray(member) ? '[' : '{';
      }
    }
    if (text.length > CHUNK_LENGTH) {
      chunks.push(Buffer.from(text));
      text = '';
    }
    if (steps % MEMBERS_IN_STEP === 0) yield;
  }
  chunks.push(Buffer.from(text));
  return chunks;
}

/** As `stringifyInSteps`, with a call of `turn` after each step; null if the thread need not be given back. */
export async function stringifyInTurns(value: unknown, turn: () => Promise<void> | null): Promise<Uint8Array[]> {
  for (const steps = stringifyInSteps(value); ; ) {
    const step = steps.next();
    if (step.done === true) return step.value;
    const given = turn();
    if (given !== null) await given;
  }
}
