/**
 * A fault of a script that shows before it runs: the offset of the token, the type and the words of the cause that the
 * answer names, and the type and the words of the parser's own error below it, if 8.12 tells
 * one.
 */
export class SyntaxFailure extends Error {
  readonly at: number;
  readonly type: string;
  readonly parserType: string | null;
  readonly parserReason: string | null;

  constructor(at: number, type: string, reason: string, parserType: string | null, parserReason: string | null = null) {
    super(reason);
    this.at = at;
    this.type = type;
    this.parserType = parserType;
    this.parserReason = parserReason;
  }
}

/** Returns the failure of a script that does not follow the grammar or the rules of types. */
export function syntaxError(at: number, reason: string, parserType: string | null = null): SyntaxFailure {
  return new SyntaxFailure(at, 'illegal_argument_exception', reason, parserType);
}

/** Returns the failure of a value that cannot become one of the wanted type. */
export function castError(at: number, reason: string): SyntaxFailure {
  return new SyntaxFailure(at, 'class_cast_exception', reason, null);
}
