import { isLineEnd, isWord } from './character-tests.js';
import type { Place } from './regex-tree.js';
import type { RegexProgram } from './regex-program.js';

/** Steps between two calls of what counts them. */
const STEPS_COUNTED = 1024;
/** Kinds of entries of the stack that are no place to go on. */
const RESTORE_SLOT = -1;
const RESTORE_LOOP = -2;

/**
 * Runs a program over a text, with a stack of the ways that were not taken. Its time may grow exponentially with the
 * text: `count` is told the steps as they are made, and ends the run by throwing.
 */
export class Backtracker {
  readonly #program: RegexProgram;
  readonly #text: string;
  readonly #count: (steps: number) => void;
  /** Beginnings and ends of groups; -1 for those that took no part. */
  readonly slots: Int32Array;
  readonly #loops: Int32Array;
  #stack: number[] = [];
  #steps = 0;
  /** End of the match before. */
  lastEnd = 0;

  constructor(program: RegexProgram, text: string, count: (steps: number) => void) {
    this.#program = program;
    this.#text = text;
    this.#count = count;
    this.slots = new Int32Array(2 * (program.groupCount + 1)).fill(-1);
    this.#loops = new Int32Array(program.loops);
  }

  /** Looks for a match that begins at `start`, and ends at `end` unless that is -1. Returns whether there is one. */
  matchAt(start: number, end: number): boolean {
    this.slots.fill(-1);
    this.#stack = [];
    const found = this.#run(0, start, end);
    if (found < 0) return false;
    this.slots[0] = start;
    this.slots[1] = found;
    return true;
  }

  /** Runs from an instruction on to its `match`; returns where that is in the text, -1 if it is not reached. */
  #run(from: number, start: number, target: number): number {
    const { code } = this.#program;
    const base = this.#stack.length;
    let at = from;
    let position = start;
    for (;;) {
      if (++this.#steps % STEPS_COUNTED === 0) this.#count(STEPS_COUNTED);
      const step = code[at]!;
      let next = -1;
      switch (step.op) {
        case 'match':
          if (target < 0 || position === target) return position;
          break;
        case 'character': {
          const unit = this.#text.codePointAt(position);
          if (unit === undefined || !step.test(unit)) break;
          position += unit > 0xffff ? 2 : 1;
          next = at + 1;
          break;
        }
        case 'split':
          this.#stack.push(step.second, position, 0);
          next = step.first;
          break;
        case 'jump':
          next = step.to;
          break;
        case 'save':
          this.#stack.push(RESTORE_SLOT, step.slot, this.slots[step.slot]!);
          this.slots[step.slot] = position;
          next = at + 1;
          break;
        case 'mark':
          this.#stack.push(RESTORE_LOOP, step.loop, this.#loops[step.loop]!);
          this.#loops[step.loop] = position;
          next = at + 1;
          break;
        case 'again':
          next = this.#loops[step.loop] === position ? step.out : step.to;
          break;
        case 'place':
          if (this.#isAt(step.place, position)) next = at + 1;
          break;
        case 'reference':
          position = this.#afterReference(step.group, step.fold, position);
          if (position >= 0) next = at + 1;
          break;
        case 'atomic':
          position = this.#inner(at + 1, position, -1);
          if (position >= 0) next = step.out;
          break;
        case 'look':
          if (this.#looks(at + 1, position, step.behind, step.isNegated)) next = step.out;
          break;
      }
      if (next < 0) {
        next = this.#back(base);
        if (next < 0) return -1;
        position = this.#resumed;
      }
      at = next;
    }
  }

  /** Where the way goes on that was taken up last. */
  #resumed = 0;

  /** Takes up the last way that was not taken; returns its instruction, -1 if there is none above `base`. */
  #back(base: number): number {
    const stack = this.#stack;
    while (stack.length > base) {
      const value = stack.pop()!;
      const slot = stack.pop()!;
      const kind = stack.pop()!;
      if (kind === RESTORE_SLOT) this.slots[slot] = value;
      else if (kind === RESTORE_LOOP) this.#loops[slot] = value;
      else {
        this.#resumed = slot;
        return kind;
      }
    }
    return -1;
  }

  /** Runs a part of its own. Ways that it did not take are forgotten; what it changed is put back by going back. */
  #inner(from: number, position: number, target: number): number {
    const base = this.#stack.length;
    const end = this.#run(from, position, target);
    if (end < 0) return -1;
    const stack = this.#stack;
    let kept = base;
    for (let i = base; i < stack.length; i += 3) {
      if (stack[i]! >= 0) continue;
      for (let k = 0; k < 3; k++) stack[kept + k] = stack[i + k]!;
      kept += 3;
    }
    stack.length = kept;
    return end;
  }

  #looks(
    from: number,
    position: number,
    behind: readonly [min: number, max: number] | null,
    isNegated: boolean,
  ): boolean {
    const base = this.#stack.length;
    const isFound = behind === null ? this.#inner(from, position, -1) >= 0 : this.#isBehind(from, position, behind);
    if (isNegated) while (this.#stack.length > base) this.#back(base);
    return isFound !== isNegated;
  }

  #isBehind(from: number, position: number, [min, max]: readonly [min: number, max: number]): boolean {
    for (let units = min; units <= Math.min(max, position); units++)
      if (this.#inner(from, position - units, position) >= 0) return true;
    return false;
  }

  #afterReference(group: number, fold: ((code: number) => number) | null, position: number): number {
    const [start, end] = [this.slots[2 * group] ?? -1, this.slots[2 * group + 1] ?? -1];
    if (start < 0 || end < 0 || position + end - start > this.#text.length) return -1;
    for (let i = 0; i < end - start; i++) {
      const [a, b] = [this.#text.charCodeAt(start + i), this.#text.charCodeAt(position + i)];
      if (a !== b && (fold === null || fold(a) !== fold(b))) return -1;
    }
    this.#count(end - start);
    return position + end - start;
  }

  #isAt(place: Place, position: number): boolean {
    const text = this.#text;
    switch (place) {
      case 'textStart':
        return position === 0;
      case 'textEnd':
        return position === text.length;
      case 'lastLineEnd':
        return position === text.length || this.#isLastLineEnd(position);
      case 'lineStart':
        return position === 0 || (position < text.length && this.#isBehindLineEnd(position));
      case 'lineEnd':
        return position === text.length || (isLineEnd(text.charCodeAt(position)) && !this.#isInLineEnd(position));
      case 'lastMatchEnd':
        return position === this.lastEnd;
      default: {
        const [before, after] = [isWord(text.charCodeAt(position - 1)), isWord(text.charCodeAt(position))];
        return (before !== after) === (place === 'wordEdge');
      }
    }
  }

  /** Whether a line end stands here behind which nothing follows. */
  #isLastLineEnd(position: number): boolean {
    const rest = this.#text.length - position;
    if (rest === 2) return this.#text.endsWith('\r\n');
    return rest === 1 && isLineEnd(this.#text.charCodeAt(position)) && !this.#isInLineEnd(position);
  }

  #isBehindLineEnd(position: number): boolean {
    return isLineEnd(this.#text.charCodeAt(position - 1)) && !this.#isInLineEnd(position);
  }

  /** Whether the place is between the two characters of one line end. */
  #isInLineEnd(position: number): boolean {
    return this.#text[position - 1] === '\r' && this.#text[position] === '\n';
  }
}
