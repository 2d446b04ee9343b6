import type { FilterFactory } from '../component.js';
import { termFilter } from '../token.js';

/** `delimited_payload`: cuts the payload behind `delimiter` (`|`); payloads are not kept. */
export const delimitedPayload: FilterFactory = {
  create(name, parameters) {
    const delimiter = parameters.text('delimiter', '|');
    return termFilter(name, (term) => (term.includes(delimiter) ? term.slice(0, term.lastIndexOf(delimiter)) : term));
  },
};
