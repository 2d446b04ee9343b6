/** Syntax error of the strict parser, in Jackson's words. Positions are byte offsets. */
export class JsonFault extends Error {
  /**
   * `syntax`: json_parse_exception; `eof`: json_e_o_f_exception, the text ends early; `limit`:
   * stream_constraints_exception.
   */
  readonly kind: 'syntax' | 'eof' | 'limit';
  /** Offset after the last byte that was read. */
  readonly at: number;
  /** Offset of the last complete token. */
  readonly lastToken: number;
  /** Offset of the opening bracket of the unfinished container, for messages that name it; else null. */
  readonly opener: number | null;
  /** Whether the fault is in text after the complete root value. */
  readonly isTrailing: boolean;

  constructor(
    kind: JsonFault['kind'],
    message: string,
    at: number,
    lastToken: number,
    details: { opener?: number; isTrailing?: boolean } = {},
  ) {
    super(message);
    this.kind = kind;
    this.at = at;
    this.lastToken = lastToken;
    this.opener = details.opener ?? null;
    this.isTrailing = details.isTrailing ?? false;
  }
}
