import { ApiError, errors } from '@shoal/errors';
import type { SyntaxFailure } from './painless/syntax-error.js';
import { textOf } from './runtime/java-text.js';
import { Explained, LimitError, Thrown } from './runtime/thrown.js';
import { classOf } from './runtime/values.js';

/** Units of a script that an error shows before and behind its place. */
const SHOWN = 25;
const POINTER = '^---- HERE';

function pointed(snippet: string, column: number): readonly string[] {
  return [snippet, `${' '.repeat(Math.max(0, column))}${POINTER}`];
}

/** Returns the error of a script that does not compile. */
export function compileError(source: string, lang: string, failure: SyntaxFailure): ApiError {
  const offset = Math.min(failure.at, source.length);
  const start = Math.max(0, offset - SHOWN);
  const end = Math.min(source.length, offset + SHOWN);
  const before = start > 0 ? '... ' : '';
  const snippet = `${before}${source.slice(start, end)}${end < source.length ? ' ...' : ''}`;
  const parser =
    failure.parserType === null ? undefined : new ApiError(failure.parserType, 400, false, failure.parserReason);
  return errors.script('compile error', {
    meta: {
      script_stack: pointed(snippet, offset - start + before.length),
      script: source,
      lang,
      position: { offset, start, end },
    },
    cause: new ApiError(failure.type, 400, false, failure.message, parser ? { cause: parser } : {}),
  });
}

/** `java.lang.ArithmeticException` as answers write it: `arithmetic_exception`. */
function wireType(javaClass: string): string {
  const name = javaClass.slice(javaClass.lastIndexOf('.') + 1);
  return name.replace(/(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/g, '_').toLowerCase();
}

function causeOf(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  if (error instanceof Thrown) return new ApiError(wireType(error.javaClass), 400, false, error.told);
  if (error instanceof LimitError)
    return new ApiError(error.type, error.type === 'circuit_breaking_exception' ? 429 : 400, false, error.told);
  if (error instanceof Explained) return new ApiError('painless_explain_error', 400, false, null);
  // V8's own limits: the call stack, the length of a text.
  if (error instanceof RangeError)
    return /call stack/i.test(error.message)
      ? new ApiError('stack_overflow_error', 400, false, null)
      : new ApiError('circuit_breaking_exception', 429, false, `[script] Data too large: ${error.message}`);
  if (error instanceof TypeError && / of (?:null|undefined)/.test(error.message))
    return new ApiError('null_pointer_exception', 400, false, null);
  const told = error instanceof Error ? error.message : String(error);
  return new ApiError('illegal_argument_exception', 400, false, `a value of the script has no such member: ${told}`);
}

function explanation(error: unknown): Record<string, unknown> {
  if (!(error instanceof Explained)) return {};
  const { value } = error;
  if (value === null) return { painless_class: null, to_string: 'null', java_class: null };
  return { painless_class: classOf(value), to_string: textOf(value), java_class: classOf(value) };
}

/** Where a script stood: the offset and the bounds of its statement. */
export interface Place {
  readonly offset: number;
  readonly start: number;
  readonly end: number;
}

/** Returns the error of a script that failed while it ran. */
export function runtimeError(source: string, lang: string, error: unknown, place: Place | null): ApiError {
  const cause = causeOf(error);
  const shown =
    place === null
      ? { script_stack: ['<<< unknown portion of script >>>'], script: source, lang }
      : {
          script_stack: pointed(source.slice(place.start, place.end), place.offset - place.start),
          script: source,
          lang,
          position: place,
        };
  return errors.script('runtime error', {
    meta: { ...explanation(error), ...shown },
    cause,
    ...(cause.status === 429 ? { status: 429 } : {}),
  });
}
