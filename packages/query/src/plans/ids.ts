import type { PlanOf } from '../execute/plan-of.js';
import { idsWeight } from '../execute/weights/ids.js';
import type { PlanKind } from './plan-kind.js';

/**
 * Returns the bytes by which Elasticsearch indexes an id (Uid.encodeId), as Lucene prints bytes: `[fe 1f]` for `1`.
 * Digits lie by two in a byte, other ids are decoded from base 64, or UTF-8. Bytes that are a text are printed as one.
 */
function encodedId(id: string): string {
  const bytes = idBytes(id);
  const text = Buffer.from(bytes).toString();
  if (Buffer.from(text).equals(bytes)) return text;
  return `[${[...bytes].map((byte) => byte.toString(16)).join(' ')}]`;
}

/** Order of ids by their bytes. */
const byBytes = (a: string, b: string): number => Buffer.compare(idBytes(a), idBytes(b));

const NUMERIC = 0xfe;
const UTF8 = 0xff;
/** Base 64 whose first byte is at least this needs a mark in front, because it could be taken for another form. */
const BASE64_ESCAPE = 0xfd;

function idBytes(id: string): Uint8Array {
  if (/^\d+$/.test(id)) {
    const digits = id.length % 2 === 0 ? id : `${id}f`;
    return Uint8Array.of(NUMERIC, ...Buffer.from(digits, 'hex'));
  }
  const decoded = Buffer.from(id, 'base64url');
  if (/^[\w-]+$/.test(id) && decoded.toString('base64url') === id)
    return decoded[0]! >= BASE64_ESCAPE ? Uint8Array.of(BASE64_ESCAPE, ...decoded) : decoded;
  return Uint8Array.of(UTF8, ...Buffer.from(id));
}

/** Documents by their ids. */
export const idsKind: PlanKind<PlanOf<'ids'>> = {
  weight: idsWeight,
  describe: ({ ids }) => `_id:(${[...new Set(ids)].sort(byBytes).map(encodedId).join(' ')})`,
  scoresConstant: true,
};
