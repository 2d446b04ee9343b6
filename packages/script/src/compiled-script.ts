import type { CellKinds } from './painless/check/checker.js';
import type { ScriptUses } from './painless/check/typed.js';
import type { Cell } from './runtime/cell.js';

/** A script that can run. */
export interface CompiledScript {
  readonly uses: ScriptUses;
  /**
   * Runs once. `frame` holds the variables of the context in their order: JSON values, which the script changes in
   * place. Returns the result as JSON. Throws script_exception.
   */
  call(frame: readonly unknown[]): unknown;
  /**
   * Returns the script bound to the columns of a host: before each call it puts the first values of fields into the
   * cells. A script that the types of its columns do not fit stays as it is, without cells.
   */
  bind(kinds: CellKinds): BoundScript;
}

export type MoveTo = (run: number) => unknown;
export type PutResult = (run: number, result: unknown) => void;

/** A script with the cells that its host fills. */
export interface BoundScript {
  /** Bytes of texts and collections that the last call made. */
  readonly madeBytes: number;
  readonly cells: readonly Cell[];
  call(frame: readonly unknown[]): unknown;
  /**
   * Runs `count` times, each run within bounds of its own; for contexts whose results are numbers, booleans or none.
   * Before each run `move` puts the host there, and returns the third variable of the frame; `put` gets what the run
   * returned. `move` may not throw; an error of `put` ends the loop, and is told as one of the script.
   */
  each(frame: readonly unknown[], count: number, move: MoveTo, put: PutResult): void;
}
