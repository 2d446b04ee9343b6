import { type ApiError, errors, isApiError } from '@shoal/errors';
import type { BoundScript, CompiledScript, MoveTo, PutResult } from './compiled-script.js';
import { scriptContext } from './contexts/catalogue.js';
import type { ScriptContext } from './contexts/context.js';
import { compileExpression } from './expression/expression-script.js';
import { compileMustache } from './mustache/mustache-script.js';
import { Registry } from './painless/allow/registry.js';
import { checkScript } from './painless/check/check-script.js';
import type { CellKinds } from './painless/check/checker.js';
import type { ScriptUses, TypedScript } from './painless/check/typed.js';
import type { BuiltScript } from './painless/emit/build.js';
import { emitScript } from './painless/emit/emit-script.js';
import { parseScript } from './painless/parser.js';
import { SyntaxFailure, syntaxError } from './painless/syntax-error.js';
import { checkRunnable, scriptCaches } from './limits/script-limits.js';
import { Budget, enterBudget } from './runtime/budget.js';
import type { Cell } from './runtime/cell.js';
import { WriteContext } from './runtime/write-context.js';
import { isView } from './runtime/read-only-view.js';
import { scriptEnvironment } from './runtime/environment.js';
import { Thrown } from './runtime/thrown.js';
import { toJson } from './runtime/to-json.js';
import { isDocumentMap } from './runtime/values.js';
import { compileError, type Place, runtimeError } from './script-error.js';
import type { InlineScript } from './script-source.js';

/** Forms of a script that are kept for different columns. */
const BOUND_MAX = 16;
/** Bounds of one execution: others wait for it, as it runs to its end without a pause. */
const EXECUTION = { now: () => scriptEnvironment().nowMs(), maxMs: 100, maxBytes: 32 * 1024 * 1024 };

/**
 * Returns a result as JSON, and makes JSON of what the script left in its variables. A value that contains itself, or
 * that JSON does not have, is an error of its own, behind the script.
 */
function leaving(frame: readonly unknown[], result: unknown): unknown {
  try {
    for (const value of frame) if (isChangeable(value)) toJson(value);
    return toJson(result);
  } catch (error) {
    if (error instanceof RangeError) throw errors.illegalArgument('Iterable object is self-referencing itself');
    throw error instanceof Thrown ? errors.illegalArgument(error.told) : error;
  }
}

const isChangeable = (value: unknown): boolean =>
  value instanceof WriteContext || (isDocumentMap(value) && !Object.isFrozen(value) && !isView(value));

/** Calls a function with the values of a frame. Most frames are short, and spreading an array costs as much as them. */
function runWith(run: BuiltScript['run'], frame: readonly unknown[]): unknown {
  switch (frame.length) {
    case 2:
      return run(frame[0], frame[1]);
    case 3:
      return run(frame[0], frame[1], frame[2]);
    case 4:
      return run(frame[0], frame[1], frame[2], frame[3]);
    default:
      return run(...frame);
  }
}

class PainlessScript implements CompiledScript, BoundScript {
  readonly #source: string;
  readonly #context: ScriptContext;
  readonly #built: BuiltScript;
  readonly #starts: readonly number[];
  readonly #budget: Budget;
  readonly #bound = new Map<string, BoundScript>();
  readonly cells: readonly Cell[];
  readonly uses: ScriptUses;

  constructor(source: string, context: ScriptContext, typed: TypedScript, built: BuiltScript) {
    this.#source = source;
    this.#context = context;
    this.#built = built;
    this.#starts = typed.statementStarts;
    this.cells = typed.cells;
    this.uses = typed.uses;
    const { processorMs } = scriptEnvironment();
    const bounds = { ...EXECUTION, maxMs: context.maxMs ?? EXECUTION.maxMs };
    this.#budget = new Budget(processorMs === undefined ? bounds : { ...bounds, processorMs });
  }

  get madeBytes(): number {
    return this.#budget.bytes;
  }

  bind(kinds: CellKinds): BoundScript {
    const key = this.uses.fields.map((field) => `${field}:${kinds(field)}`).join();
    let bound = this.#bound.get(key);
    if (bound) return bound;
    bound = this.#compileFor(kinds);
    if (this.#bound.size < BOUND_MAX) this.#bound.set(key, bound);
    return bound;
  }

  /** With static types some scripts do not compile that run with `def`. */
  #compileFor(kinds: CellKinds): BoundScript {
    if (this.uses.fields.every((field) => kinds(field) === null)) return this;
    try {
      return build(this.#source, this.#context, kinds);
    } catch (error) {
      if (error instanceof SyntaxFailure) return this;
      throw error;
    }
  }

  call(frame: readonly unknown[]): unknown {
    const budget = this.#budget;
    budget.restart();
    const outer = enterBudget(budget);
    try {
      const result = this.#run(frame);
      const { leaves } = this.#context;
      if (leaves !== undefined) return typeof result === 'number' ? result : leaves(result);
      const isPlain = (typeof result !== 'object' && typeof result !== 'function') || result === null;
      return !budget.isChanged && isPlain ? result : leaving(frame, result);
    } finally {
      enterBudget(outer);
    }
  }

  each(frame: readonly unknown[], count: number, move: MoveTo, put: PutResult): void {
    const budget = this.#budget;
    const moveTo = (run: number): unknown => {
      budget.restart();
      return move(run);
    };
    const outer = enterBudget(budget);
    try {
      this.#built.each(moveTo, put, count, ...frame);
    } catch (error) {
      throw this.#failure(error);
    } finally {
      enterBudget(outer);
    }
  }

  #run(frame: readonly unknown[]): unknown {
    try {
      return runWith(this.#built.run, frame);
    } catch (error) {
      throw this.#failure(error);
    }
  }

  #failure(error: unknown): ApiError {
    const offset = error instanceof Error && !isApiError(error) ? this.#built.offsetOf(error) : null;
    return runtimeError(this.#source, 'painless', error, offset === null ? null : this.#placeOf(offset));
  }

  #placeOf(offset: number): Place {
    const start = this.#starts.findLast((at) => at <= offset) ?? 0;
    const end = this.#starts.find((at) => at > offset) ?? this.#source.length;
    return { offset, start, end };
  }
}

const registries = new Map<string, Registry>();

function registryOf(context: ScriptContext): Registry {
  let registry = registries.get(context.name);
  if (!registry) registries.set(context.name, (registry = new Registry(context.allow)));
  return registry;
}

let built = 0;

/** Throws a SyntaxFailure. */
function build(source: string, context: ScriptContext, kinds?: CellKinds): PainlessScript {
  const registry = registryOf(context);
  const typed = checkScript(parseScript(source), context, registry, kinds);
  return new PainlessScript(source, context, typed, emitScript(typed, registry, String(built++)));
}

/** A chain of members or operators has a tree as deep as it is long. */
const tooDeep = (): SyntaxFailure => syntaxError(0, 'The script is nested too deep.');

function compilePainless(source: string, context: ScriptContext): CompiledScript {
  try {
    return build(source, context);
  } catch (error) {
    if (error instanceof SyntaxFailure) throw compileError(source, 'painless', error);
    if (error instanceof RangeError) throw compileError(source, 'painless', tooDeep());
    throw error;
  }
}

function compilePainlessFor(script: InlineScript, contextName: string): CompiledScript {
  const context = scriptContext(contextName);
  if (!context) throw errors.illegalArgument(`script context [${contextName}] not supported`);
  return compilePainless(script.source, context);
}

type Language = (script: InlineScript, contextName: string) => CompiledScript;

/** Languages by name. */
const LANGUAGES: ReadonlyMap<string, Language> = new Map<string, Language>([
  ['expression', compileExpression],
  ['mustache', compileMustache],
  ['painless', compilePainlessFor],
]);

/** Whether scripts may be written, and stored, in a language. */
export const isScriptLanguage = (lang: string): boolean => LANGUAGES.has(lang);

/**
 * Compiles a script for a context, or takes it from the cache. Throws script_exception, and the errors of the node's
 * limits: for contexts that it does not run, texts that are too long, and too many compilations.
 */
export function compile(script: InlineScript, contextName: string): CompiledScript {
  const language = LANGUAGES.get(script.lang);
  if (!language) throw errors.illegalArgument(`script_lang not supported [${script.lang}]`);
  checkRunnable(script.source, contextName);
  const key = JSON.stringify([script.lang, contextName, script.options['content_type'] ?? null, script.source]);
  return scriptCaches().get(contextName, key, () => language(script, contextName));
}
