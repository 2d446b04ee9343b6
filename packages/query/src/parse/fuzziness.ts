import { errors } from '@shoal/errors';
import type { Reader } from './options.js';

/** Returns the number of edits allowed for a term. */
export type Fuzziness = (term: string) => number;

/** Fuzziness `AUTO`: 0 edits for terms below 3 characters, 1 below 6, else 2. */
export const AUTO_FUZZINESS: Fuzziness = byLength(3, 6);

/** Parses option `fuzziness`: `0`, `1`, `2` (numbers or text), `AUTO` or `AUTO:low,high`. */
export const fuzziness: Reader<Fuzziness> = (value) => parseFuzziness(String(value));

/** Parses a fuzziness. Throws illegal_argument_exception for other texts. */
export function parseFuzziness(text: string): Fuzziness {
  const auto = /^AUTO(?::(.*))?$/i.exec(text);
  if (auto) return auto[1] === undefined ? AUTO_FUZZINESS : customAuto(text, auto[1]);
  const edits = Number(text);
  if (text.trim() === '' || Number.isNaN(edits))
    throw errors.illegalArgument(`fuzziness cannot be [${text}].`, {
      cause: errors.numberFormat(`For input string: "${text.toUpperCase()}"`),
    });
  if (!Number.isInteger(edits))
    throw errors.illegalArgument(`fuzziness needs to be one of 0.0, 1.0 or 2.0 but was ${text}`);
  if (edits < 0 || edits > 2) throw errors.illegalArgument(`Valid edit distances are [0, 1, 2] but was [${edits}]`);
  return () => edits;
}

function customAuto(text: string, limits: string): Fuzziness {
  const parts = limits.split(',');
  if (parts.length !== 2) throw errors.parse(`failed to find low and high distance values in [${text}]`);
  const [low, high] = parts.map(Number);
  if (low === undefined || high === undefined || !Number.isInteger(low) || !Number.isInteger(high)) {
    throw errors.parse(`failed to parse [${text}] as a "auto:int,int"`);
  }
  if (low < 0 || low > high) {
    throw errors.illegalArgument(
      'fuzziness wrongly configured, must be: lowDistance > 0, highDistance > 0 and lowDistance <= highDistance ',
    );
  }
  return byLength(low, high);
}

/** Lengths are counted in code points. */
function byLength(low: number, high: number): Fuzziness {
  return (term) => {
    let length = 0;
    for (const _ of term) length++;
    if (length < low) return 0;
    return length < high ? 1 : 2;
  };
}
