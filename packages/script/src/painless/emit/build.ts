import type { MoveTo, PutResult } from '../../compiled-script.js';
import { helpers } from '../../runtime/helpers.js';
import { checkAlphabet } from './alphabet.js';
import type { Code } from './code.js';

/** A script as a function of JavaScript. */
export interface BuiltScript {
  readonly run: (...frame: readonly unknown[]) => unknown;
  /** Runs in a loop: `move` before each run, `put` with its result. */
  readonly each: (move: MoveTo, put: PutResult, count: number, ...frame: readonly unknown[]) => void;
  /** Returns the offset in the script at which an error was thrown; null if it is not known. */
  offsetOf(error: Error): number | null;
}

const HELPER_NAMES: ReadonlySet<string> = new Set(Object.keys(helpers));

/**
 * Builds generated text: the one place that makes a function of text. The text was written by the emitter from a
 * checked tree, holds no name or text of the script, and is checked against the alphabet before. It gets the table of
 * helpers and its constants; there is nothing else that it could name.
 */
export function build(code: Code, constants: readonly unknown[], name: string): BuiltScript {
  checkAlphabet(code.text, HELPER_NAMES);
  const factory = new Function('h', 'k', `"use strict";${code.text}\n//# sourceURL=painless:${name}`) as (
    h: typeof helpers,
    k: readonly unknown[],
  ) => Pick<BuiltScript, 'run' | 'each'>;
  const frame = new RegExp(`painless:${name}:(\\d+):`, 'g');
  return {
    ...factory(helpers, constants),
    offsetOf: (error) => {
      const lines = [...(error.stack ?? '').matchAll(frame)].map((match) => Number(match[1]) - HEAD_LINES);
      const known = lines.find((line) => (code.offsets[line] ?? -1) >= 0);
      return known === undefined ? null : code.offsets[known]!;
    },
  };
}

/** Lines that V8 puts in front of the body of such a function. */
const HEAD_LINES = 2;
