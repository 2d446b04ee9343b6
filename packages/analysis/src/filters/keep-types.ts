import { errors } from '@shoal/errors';
import type { FilterFactory } from '../component.js';
import { keepingFilter } from '../token.js';

/** `keep_types`: keeps tokens of `types`; with `mode` exclude it removes them. */
export const keepTypes: FilterFactory = {
  needsSettings: true,
  create(name, parameters) {
    const types = parameters.list('types');
    if (types === null || types.length === 0)
      throw errors.illegalArgument('keep_types requires `types` to be configured');
    const mode = parameters.text('mode', 'include');
    if (mode !== 'include' && mode !== 'exclude')
      throw errors.illegalArgument(
        `\`keep_types\` tokenfilter mode can only be \`include\` or \`exclude\` but was \`${mode}\`.`,
      );
    const known = new Set(types);
    return keepingFilter(name, ({ type }) => known.has(type) === (mode === 'include'));
  },
};
