import type { CharFilterFactory } from '../component.js';
import type { FilteredText } from '../token.js';

/** The first line of a text that has what is `wanted`; nothing if there is none. */
function firstLine(text: string, wanted: RegExp): FilteredText {
  const letter = text.search(wanted);
  if (letter < 0) return { text: '', correct: () => text.length };
  const start = text.lastIndexOf('\n', letter) + 1;
  const end = text.indexOf('\n', letter);
  const line = text.slice(start, end < 0 ? text.length : end);
  return { text: line, correct: (offset) => start + offset };
}

/** `first_line_with_letters`: the first line with a letter, all others are left out. */
export const firstLineWithLetters: CharFilterFactory = {
  create: (name) => ({ name, isNormalizing: false, apply: (text) => firstLine(text, /\p{L}/u) }),
};

/** `first_non_blank_line`: the first line that is not white space alone. */
export const firstNonBlankLine: CharFilterFactory = {
  create: (name) => ({ name, isNormalizing: false, apply: (text) => firstLine(text, /\S/) }),
};
