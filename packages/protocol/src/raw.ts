/** A payload whose format is documented where its bytes are made. */
export interface Raw {
  readonly body: Uint8Array;
}

/** The body itself. */
export const encodeRaw = ({ body }: Raw): Uint8Array => body;

/** Wraps `body` without copying it. */
export const decodeRaw = (body: Uint8Array): Raw => ({ body });
