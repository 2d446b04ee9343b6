import type { FilterFactory } from '../component.js';

/** `classic`: without the `'s` of possessives and the dots of acronyms, as the classic tokenizer marks them. */
export const classic: FilterFactory = {
  create: (name) => ({
    name,
    normalize: null,
    apply(stream) {
      for (const token of stream.tokens) {
        if (token.type === '<APOSTROPHE>') token.term = token.term.replace(/['\u2019]s$/i, '');
        else if (token.type === '<ACRONYM>') token.term = token.term.replaceAll('.', '');
      }
      return stream;
    },
  }),
};
