import type { FilterFactory } from '../component.js';

/** `classic`: removes `'s` and the dots of acronyms from tokens that the classic tokenizer typed so. */
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
