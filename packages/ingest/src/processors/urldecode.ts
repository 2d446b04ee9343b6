import { errors } from '@shoal/errors';
import { stringProcessor } from '../string-processor.js';

/** Decodes texts of URLs: `%41` is a byte, `+` a space. */
export const urldecode = stringProcessor('urldecode', () => (text) => {
  const wrong = /%(?![0-9a-fA-F]{2})/.exec(text);
  if (wrong) throw errors.illegalArgument(`URLDecoder: ${escapeFault(text.slice(wrong.index + 1, wrong.index + 3))}`);
  return text.includes('%') ? decoded(text) : text.replaceAll('+', ' ');
});

/** What Java says of two digits that are none. */
function escapeFault(digits: string): string {
  if (digits.length < 2) return 'Incomplete trailing escape (%) pattern';
  const index = /^[0-9a-fA-F]/.test(digits) ? 1 : 0;
  return `Illegal hex characters in escape (%) pattern - Error at index ${index} in: "${digits}"`;
}

const [PERCENT, PLUS, SPACE] = [0x25, 0x2b, 0x20];

/** Value of a hexadecimal digit in ASCII. */
const digit = (code: number): number => (code < 0x3a ? code - 0x30 : (code | 0x20) - 0x57);

/** Decodes escapes byte by byte: a text of megabytes takes milliseconds. */
function decoded(text: string): string {
  const bytes = Buffer.from(text, 'utf8');
  let length = 0;
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i]!;
    if (byte === PERCENT) {
      bytes[length++] = digit(bytes[i + 1]!) * 16 + digit(bytes[i + 2]!);
      i += 2;
    } else bytes[length++] = byte === PLUS ? SPACE : byte;
  }
  return bytes.toString('utf8', 0, length);
}
