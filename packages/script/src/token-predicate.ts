import { ApiError, errors } from '@shoal/errors';
import { compile } from './compile.js';
import { AnalyzedToken } from './runtime/analyzed-token.js';
import { scriptEnvironment } from './runtime/environment.js';
import { isInline, readScript } from './script-source.js';

/** A token of a text that is analysed: the parts that scripts see. */
interface SeenToken {
  readonly term: string;
  readonly position: number;
  readonly span: number;
  readonly start: number;
  readonly end: number;
  readonly type: string;
  readonly keyword: boolean;
}

/** Milliseconds that the script of a filter may take for one text. */
const TEXT_MS_MAX = 1000;
/** The clock is read once for so many tokens. */
const CLOCK_TOKENS = 256;

/**
 * Compiles the script of a token filter, which `owner` names in errors. The result makes a predicate for each text: it
 * throws once the script has taken a second for the text.
 */
export function compileTokenPredicate(
  json: unknown,
  owner: string,
): () => (token: SeenToken, increment: number) => boolean {
  const script = readScript(json);
  if (!isInline(script)) throw errors.illegalArgument(`Cannot use stored scripts in ${owner}`);
  const compiled = compile(script, 'analysis');
  return () => {
    const seen = new AnalyzedToken();
    const frame = [seen];
    const { nowMs } = scriptEnvironment();
    const startedMs = nowMs();
    let count = 0;
    return ({ term, position, span, start, end, type, keyword }, increment) => {
      if (++count % CLOCK_TOKENS === 0 && nowMs() - startedMs > TEXT_MS_MAX) throw tooLong(owner);
      seen.term = term;
      seen.position = position;
      seen.positionIncrement = increment;
      seen.positionLength = span;
      seen.startOffset = start;
      seen.endOffset = end;
      seen.type = type;
      seen.keyword = keyword;
      return compiled.call(frame) as boolean;
    };
  };
}

function tooLong(owner: string): ApiError {
  return new ApiError('script_timeout', 400, false, `${owner} may run no longer than [${TEXT_MS_MAX}ms] for a text`);
}
