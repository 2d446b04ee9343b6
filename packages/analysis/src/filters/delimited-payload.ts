import type { FilterFactory } from '../component.js';
import { termFilter } from '../token.js';

/** `delimited_payload`: removes the payload after `delimiter` (`|` by default); payloads are not stored. */
export const delimitedPayload: FilterFactory = {
  create(name, parameters) {
    const delimiter = parameters.text('delimiter', '|');
    return termFilter(name, (term) => (term.includes(delimiter) ? term.slice(0, term.lastIndexOf(delimiter)) : term));
  },
};
