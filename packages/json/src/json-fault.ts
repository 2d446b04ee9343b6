/** Why a text is no JSON that Elasticsearch takes, in Jackson's words. Positions are byte offsets. */
export class JsonFault extends Error {
  /** `syntax`: json_parse_exception; `eof`: the text ends too early; `limit`: stream_constraints_exception. */
  readonly kind: 'syntax' | 'eof' | 'limit';
  /** Offset behind the byte that was read last. */
  readonly at: number;
  /** Offset of the last token that was complete. */
  readonly lastToken: number;
  /** Offset of the bracket that is still open, for messages that name it. */
  readonly opener: number | null;
  /** Whether the root value was complete: the fault is in what trails it. */
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
