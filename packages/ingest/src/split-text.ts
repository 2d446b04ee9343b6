import type { OptionRegex } from './regex.js';
import { type Pause, resultInTurns } from './steps-in-turns.js';

/**
 * Splits a text at all matches as Java's `Pattern.split`: an empty match at the beginning gives no empty text, and
 * empty texts at the end are left out unless they are wanted. A promise if the thread was given to others meanwhile.
 */
export function splitText(
  pattern: OptionRegex,
  text: string,
  keepsTrailing: boolean,
  pause: Pause,
): string[] | Promise<string[]> {
  const matcher = pattern.matcher(text);
  const pieces: string[] = [];
  let last = 0;
  const step = (): boolean => {
    if (!matcher.find()) return false;
    const end = matcher.end();
    if (end > 0) {
      pieces.push(text.slice(last, matcher.start()));
      last = end;
    }
    return true;
  };
  return resultInTurns(step, pause, () => {
    if (pieces.length === 0) return [text];
    pieces.push(text.slice(last));
    if (!keepsTrailing) while (pieces.at(-1) === '') pieces.pop();
    return pieces;
  });
}
