import { errors } from '@shoal/errors';
import type { CharFilterFactory } from '../component.js';
import type { FilteredText } from '../token.js';
import { compileRegex, type UserRegex } from '../user-regex.js';
import { textBuilder } from './offset-map.js';

function expand(replacement: string, text: string, groups: readonly (readonly [number, number])[]): string {
  return replacement.replace(/\\(.)|\$(\d)/g, (_all, escaped: string | undefined, group: string | undefined) => {
    if (escaped !== undefined) return escaped;
    const [start, end] = groups[Number(group)] ?? [0, 0];
    return start < 0 ? '' : text.slice(start, end);
  });
}

function replaceAll(text: string, regex: UserRegex, replacement: string): FilteredText {
  const builder = textBuilder();
  let copied = 0;
  for (const groups of regex.findAll(text)) {
    const [start, end] = groups[0]!;
    if (start > copied) builder.append(text.slice(copied, start), copied, start);
    builder.append(expand(replacement, text, groups), start, end);
    copied = end;
  }
  if (copied < text.length) builder.append(text.slice(copied), copied, text.length);
  return builder.finish();
}

/** `pattern_replace`: replaces the matches of `pattern` (with `flags`) by `replacement` (empty by default). */
export const patternReplace: CharFilterFactory = {
  needsSettings: true,
  normalizes: true,
  create(name, parameters) {
    const pattern = parameters.text('pattern', '');
    if (pattern === '')
      throw errors.illegalArgument(`pattern is missing for [${name}] char filter of type 'pattern_replace'`);
    const regex = compileRegex(pattern, parameters.text('flags', ''));
    const replacement = parameters.text('replacement', '');
    return { name, isNormalizing: true, apply: (text) => replaceAll(text, regex, replacement) };
  },
};
