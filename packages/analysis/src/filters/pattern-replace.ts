import { errors } from '@shoal/errors';
import type { FilterFactory } from '../component.js';
import { termFilter } from '../token.js';
import { compileRegex } from '../user-regex.js';

/**
 * `pattern_replace`: replaces `all` (true by default) or the first match of `pattern` by `replacement` (empty by
 * default).
 */
export const patternReplace: FilterFactory = {
  needsSettings: true,
  normalizes: true,
  create(name, parameters) {
    if (!parameters.has('pattern'))
      throw errors.illegalArgument(`pattern is missing for [${name}] token filter of type 'pattern_replace'`);
    const regex = compileRegex(parameters.text('pattern', ''), parameters.text('flags', ''));
    const replacement = parameters.text('replacement', '');
    const all = parameters.boolean('all', true);
    return termFilter(name, (term) => regex.replace(term, replacement, all), { normalizes: true });
  },
};
