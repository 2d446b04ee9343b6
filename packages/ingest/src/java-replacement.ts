import { errors } from '@shoal/errors';
import { filledReplacement, parseReplacement, type ReplacementPart } from '@shoal/script';
import { JoinedText } from './joined-text.js';
import type { OptionRegex } from './regex.js';
import { type Pause, resultInTurns } from './steps-in-turns.js';

/** What replacing asks of its caller. `charge` is told the length of each inserted text before the result is made. */
export interface ReplaceSite {
  readonly charge: (bytes: number) => void;
  readonly pause: Pause;
}

/**
 * Replaces all matches as Java's `Matcher.replaceAll`: `$1` and `${name}` are groups, `$0` is the match, a backslash
 * takes the next character as it is. A promise if the thread was given to others meanwhile.
 */
export function replaceAllAsJava(
  pattern: OptionRegex,
  text: string,
  replacement: string,
  { charge, pause }: ReplaceSite,
): string | Promise<string> {
  const matcher = pattern.matcher(text);
  let parts: readonly ReplacementPart[] | null = null;
  const result = new JoinedText();
  let at = 0;
  const step = (): boolean => {
    if (!matcher.find()) return false;
    parts ??= parseReplacement(replacement, matcher.groupCount(), (reason, what) =>
      what === 'group' ? errors.indexOutOfBounds(reason) : errors.illegalArgument(reason),
    );
    const inserted = filledReplacement(parts, matcher);
    charge(inserted.length);
    result.add(text.slice(at, matcher.start()));
    result.add(inserted);
    at = matcher.end();
    return true;
  };
  return resultInTurns(step, pause, () => {
    if (parts === null) return text;
    result.add(text.slice(at));
    return result.join();
  });
}
