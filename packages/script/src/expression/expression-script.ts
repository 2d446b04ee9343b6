import { ApiError, errors } from '@shoal/errors';
import type { BoundScript, CompiledScript, MoveTo, PutResult } from '../compiled-script.js';
import { scriptContext } from '../contexts/catalogue.js';
import type { ScriptUses } from '../painless/check/typed.js';
import { boxDouble, KIND, kindOf, numberIn } from '../runtime/boxes.js';
import type { FieldValues } from '../runtime/field-values.js';
import { doubleToLong } from '../runtime/longs.js';
import { toJson } from '../runtime/to-json.js';
import type { HostMap } from '../runtime/values.js';
import type { InlineScript } from '../script-source.js';
import type { Evaluate } from './computed.js';
import { fieldNumber, LinkFault } from './field-numbers.js';
import { parseExpression } from './parse-expression.js';
import { ExpressionFault } from './tokens.js';
import type { Variable } from './variable.js';

/** What the hosts of contexts get of a result. */
const RESULTS: ReadonlyMap<string, (value: number) => unknown> = new Map<string, (value: number) => unknown>([
  ['aggregation_selector', (value) => value === 1],
  ['aggs', (value) => [boxDouble(value)]],
  ['bucket_aggregation', (value) => toJson(boxDouble(value))],
  ['field', (value) => toJson(boxDouble(value))],
  ['filter', (value) => value !== 0],
  ['number_sort', (value) => value],
  ['score', (value) => value],
  ['terms_set', (value) => doubleToLong(value)],
]);

/** Contexts in which expressions run. */
export const EXPRESSION_CONTEXTS: readonly string[] = [...RESULTS.keys()];

/** Variables that contexts give beside fields and parameters. */
const SPECIAL = ['_score', '_value'];

type Params = Readonly<Record<string, unknown>>;

class ExpressionScript implements CompiledScript, BoundScript {
  readonly cells = [];
  readonly madeBytes = 0;
  readonly uses: ScriptUses;
  readonly #source: string;
  readonly #evaluate: Evaluate;
  readonly #variables: readonly Variable[];
  readonly #values: Float64Array;
  readonly #result: (value: number) => unknown;
  /** Places of the context's variables in a frame. */
  readonly #places: ReadonlyMap<string, number>;
  /** Whether each parameter has to be a variable. */
  readonly #isOfBucket: boolean;

  constructor(source: string, context: string) {
    const { evaluate, variables } = parsed(source);
    this.#source = source;
    this.#evaluate = evaluate;
    this.#variables = variables;
    this.#values = new Float64Array(variables.length);
    this.#result = RESULTS.get(context)!;
    this.#places = new Map(scriptContext(context)!.variables.map(({ name }, i) => [name, i]));
    this.#isOfBucket = !this.#places.has('doc');
    const fields = variables.flatMap(({ parts }) => (parts[1]?.kind === 'text' ? [parts[1].text] : []));
    this.uses = {
      fields: [...new Set(fields)],
      variables: new Set(variables.flatMap(({ text, parts }) => [text, parts[0]!.text])),
      isDeterministic: true,
    };
  }

  bind(): BoundScript {
    return this;
  }

  call(frame: readonly unknown[]): unknown {
    const params = frame[0] as Params;
    if (this.#isOfBucket) this.#checkParams(params);
    for (let i = 0; i < this.#variables.length; i++)
      this.#values[i] = this.#numberOf(this.#variables[i]!, params, frame);
    return this.#result(this.#evaluate(this.#values));
  }

  each(frame: readonly unknown[], count: number, move: MoveTo, put: PutResult): void {
    const own = [...frame];
    for (let run = 0; run < count; run++) {
      own[2] = move(run);
      put(run, this.call(own));
    }
  }

  #numberOf(variable: Variable, params: Params, frame: readonly unknown[]): number {
    const { text } = variable;
    // As in 8.12, what a bucket does not have is 0.
    if (this.#isOfBucket) return Object.hasOwn(params, text) ? this.#ofBucket(text, params[text]) : 0;
    try {
      const place = SPECIAL.includes(text) ? this.#places.get(text) : undefined;
      if (place !== undefined) return Number(numberIn(frame[place]));
      return Object.hasOwn(params, text) ? paramOf(text, params[text]) : this.#fieldOf(variable, frame);
    } catch (error) {
      if (!(error instanceof LinkFault)) throw error;
      throw scriptError('link error', this.#source, [text, '^---- HERE'], causeOf(error.message, error.isSyntax));
    }
  }

  #fieldOf({ text, parts }: Variable, frame: readonly unknown[]): number {
    const [object, name, ...path] = parts;
    const place = this.#places.get('doc');
    if (object!.text !== 'doc' || object!.kind !== 'member' || place === undefined)
      throw new LinkFault(`Unknown variable [${object!.text}]`, true);
    if (name?.kind !== 'text')
      throw new LinkFault("Variable 'doc' must be used with a specific field like: doc['myfield']", true);
    const doc = frame[place] as HostMap;
    if (!doc.has(name.text)) throw new LinkFault(`Field [${name.text}] does not exist in mappings`, true);
    const values = doc.get(name.text) as FieldValues;
    return fieldNumber(values, name.text, path, text)(values);
  }

  #ofBucket(name: string, value: unknown): number {
    const number = numberOrNull(value);
    if (number !== null) return number;
    throw errors.illegalArgument(
      `Error using ${this.#source}. Executable expressions scripts can only process numbers.  ` +
        `The variable [${name}] is not a number.`,
    );
  }

  #checkParams(params: Params): void {
    for (const name of Object.keys(params))
      if (!this.uses.variables.has(name))
        throw errors.illegalArgument(
          `Error using ${this.#source}. The variable [${name}] does not exist in the executable expressions script.`,
        );
  }
}

function numberOrNull(value: unknown): number | null {
  const kind = kindOf(value as Parameters<typeof kindOf>[0]);
  return kind === KIND.none || kind === KIND.char ? null : Number(numberIn(value as Parameters<typeof numberIn>[0]));
}

function paramOf(name: string, value: unknown): number {
  const number = numberOrNull(value);
  if (number !== null) return number;
  throw new LinkFault(`Parameter [${name}] must be a numeric type`, true);
}

function parsed(source: string): ReturnType<typeof parseExpression> {
  try {
    return parseExpression(source);
  } catch (error) {
    if (!(error instanceof ExpressionFault)) throw error;
    const stack = [source, `${' '.repeat(error.at)}^---- HERE`];
    throw scriptError('compile error', source, stack, causeOf(error.message, true));
  }
}

const causeOf = (told: string, isSyntax: boolean): ApiError =>
  new ApiError(isSyntax ? 'parse_exception' : 'illegal_argument_exception', 400, false, told);

function scriptError(reason: string, source: string, stack: readonly string[], cause: ApiError): ApiError {
  return errors.script(reason, { meta: { script_stack: stack, script: source, lang: 'expression' }, cause });
}

/**
 * Compiles a script in the language `expression`: one formula of numbers. Throws script_exception, and
 * illegal_argument_exception for contexts that are not about numbers.
 */
export function compileExpression({ source }: InlineScript, context: string): CompiledScript {
  if (RESULTS.has(context)) return new ExpressionScript(source, context);
  throw errors.illegalArgument(`expression engine does not know how to handle script context [${context}]`);
}
