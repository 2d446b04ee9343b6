import type { Random } from '@shoal/doors';

/** Kind of a token, the second byte of its text. */
export type TokenUse = 'access' | 'refresh';

const MARK = 0x54;
const USES: Readonly<Record<TokenUse, number>> = { access: 1, refresh: 2 };
const ID_BYTES = 16;
const SECRET_BYTES = 32;

/** Text of a token: base64 of a mark, its kind, the id of its document and the secret. */
export function tokenText(use: TokenUse, id: string, secret: Uint8Array): string {
  return Buffer.concat([Buffer.from([MARK, USES[use]]), Buffer.from(id, 'base64url'), secret]).toString('base64');
}

/** Creates the random id and secrets of a new document. */
export function newTokenParts(random: Random): {
  readonly id: string;
  readonly access: Uint8Array;
  readonly refresh: Uint8Array;
} {
  return {
    id: Buffer.from(random.bytes(ID_BYTES)).toString('base64url'),
    access: random.bytes(SECRET_BYTES),
    refresh: random.bytes(SECRET_BYTES),
  };
}

/** Id of the document of a token; null if the text is not a token of this kind. */
export function tokenId(use: TokenUse, text: string): string | null {
  const bytes = Buffer.from(text, 'base64');
  if (bytes.length !== 2 + ID_BYTES + SECRET_BYTES || bytes[0] !== MARK || bytes[1] !== USES[use]) return null;
  return bytes.subarray(2, 2 + ID_BYTES).toString('base64url');
}
