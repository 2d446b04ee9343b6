import { errors } from '@shoal/errors';
import {
  type BoundScript,
  type CompiledScript,
  compile,
  type FieldValues,
  isInline,
  readScript,
  type ScriptSource,
} from '@shoal/script';
import type { Searcher, SegmentView } from '../searcher.js';
import { CellReader, cellKind } from './cell-reader.js';
import { ScriptDoc } from './script-doc.js';

/** A script of a search and the context in which it runs. */
export type SearchScript = ScriptSource & { readonly context: string };

/** Reads a script where a search has one. Its text is compiled by `compiled`, when a shard plans the search. */
export function parseSearchScript(json: unknown, context: string): SearchScript {
  return { ...readScript(json), context };
}

/** Returns a script whose text is known; a stored one was replaced by its text before shards got the request. */
export function compiled(script: SearchScript): CompiledScript {
  if (isInline(script)) return compile(script, script.context);
  throw errors.resourceNotFound(`unable to find script [${script.id}] in cluster state`);
}

/**
 * Returns a script of a request that is planned. A request whose script may give something else the next time depends
 * on the time, so that its answer is not kept. Throws script_exception.
 */
export function plannedScript(script: SearchScript, { now }: { readonly now: () => number }): CompiledScript {
  const planned = compiled(script);
  if (!planned.uses.isDeterministic) now();
  return planned;
}

/** Whether a script names a variable of its context. */
export function usesVariable(script: SearchScript, variable: string): boolean {
  return compiled(script).uses.variables.has(variable);
}

/** Whether a script returns the same for the same document at any time. */
export function isRepeatable(script: SearchScript): boolean {
  return compiled(script).uses.isDeterministic;
}

/** Calls a script for documents of one segment. */
export class SegmentScript {
  readonly #bound: BoundScript;
  readonly #cells: readonly CellReader[];
  readonly #doc: ScriptDoc;
  readonly #frame: unknown[];

  /** `extra` are the variables of the context behind `params` and `doc`, as they are in the first call. */
  constructor(script: SearchScript, searcher: Searcher, segment: SegmentView, extra: readonly unknown[] = []) {
    this.#bound = compiled(script).bind((field) => cellKind(searcher, segment, field));
    this.#cells = this.#bound.cells.map((cell) => new CellReader(cell, searcher, segment));
    this.#doc = new ScriptDoc(searcher, segment);
    this.#frame = [script.params, this.#doc, ...extra];
  }

  setWindow(docs: Int32Array, count: number): void {
    this.#doc.setWindow(docs, count);
    for (const cell of this.#cells) cell.read(docs, count);
  }

  /** Runs for the document at a place of the window; `extra` replaces the variable behind `doc`. */
  run(at: number, extra?: unknown): unknown {
    this.#fill();
    this.#moveTo(at);
    if (extra !== undefined) this.#frame[2] = extra;
    return this.#bound.call(this.#frame);
  }

  /**
   * Runs for the first `count` documents of the window; `extra` gives the variable behind `doc` for a place, and `put`
   * gets the results: numbers, booleans, or none. `extra` may not throw; an error of `put` is told as the script's.
   */
  each(count: number, extra: (at: number) => unknown, put: (at: number, result: unknown) => void): void {
    this.#fill();
    const move = (at: number): unknown => {
      this.#moveTo(at);
      return extra(at);
    };
    this.#bound.each(this.#frame, count, move, put);
  }

  #fill(): void {
    for (const cell of this.#cells) cell.fill();
  }

  #moveTo(at: number): void {
    this.#doc.moveTo(at);
    for (const cell of this.#cells) cell.moveTo(at);
  }

  /** Bytes of texts and collections that the last run made. */
  get madeBytes(): number {
    return this.#bound.madeBytes;
  }

  /** Sets the second variable behind `doc`. */
  setSecond(value: unknown): void {
    this.#frame[3] = value;
  }

  /** `doc['field']` of the document at a place of the window. */
  valuesAt(field: string, at: number): FieldValues {
    this.#doc.moveTo(at);
    return this.#doc.get(field);
  }
}
