import type { ProcessorType } from '../processor-type.js';

/** Drops the document: it is not written, and its item of a bulk answers `noop`. */
export const drop: ProcessorType = {
  name: 'drop',
  parse: () => (document) => {
    document.isDropped = true;
  },
};
