/** A payload of a form that is written down where its bytes are made. */
export interface Raw {
  readonly body: Uint8Array;
}

/** The body itself. */
export const encodeRaw = ({ body }: Raw): Uint8Array => body;

/** Takes over `body`. */
export const decodeRaw = (body: Uint8Array): Raw => ({ body });
