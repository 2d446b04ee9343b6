import { errors } from '@shoal/errors';
import type { FilterFactory } from '../component.js';
import { expandingFilter, type Token } from '../token.js';
import { compileRegex, type UserRegex } from '../user-regex.js';

function captures(term: string, regexes: readonly UserRegex[]): readonly string[] {
  const groups = regexes.flatMap((regex) =>
    regex.findAll(term).flatMap((match) => (match.length > 1 ? match.slice(1) : match)),
  );
  const ranges = groups.filter(([start, end]) => start >= 0 && end > start).sort((a, b) => a[0] - b[0]);
  return ranges.map(([start, end]) => term.slice(start, end));
}

/** `pattern_capture`: a token for each group of a match of `patterns`; `preserve_original` is true by default. */
export const patternCapture: FilterFactory = {
  needsSettings: true,
  create(name, parameters) {
    const patterns = parameters.list('patterns');
    if (patterns === null)
      throw errors.illegalArgument("required setting 'patterns' is missing for token filter [" + name + ']');
    const regexes = patterns.map((pattern) => compileRegex(pattern, ''));
    const preserves = parameters.boolean('preserve_original', true);
    return expandingFilter(name, (token): readonly Token[] => {
      const found = captures(token.term, regexes);
      if (found.length === 0) return [token];
      const parts = found.filter((part) => !preserves || part !== token.term).map((term) => ({ ...token, term }));
      return preserves ? [token, ...parts] : parts;
    });
  },
};
