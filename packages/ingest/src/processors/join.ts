import { errors } from '@shoal/errors';
import { javaText } from '../java-values.js';
import type { ProcessorType } from '../processor-type.js';

/** Joins the items of a list to a text. */
export const join: ProcessorType = {
  name: 'join',
  parse(config) {
    const field = config.string('field');
    const separator = config.string('separator');
    const targetField = config.stringOr('target_field', field);
    return (document) => {
      const list = document.list(field);
      if (list === null) throw errors.illegalArgument(`field [${field}] is null, cannot join.`);
      if (list.includes(null)) throw errors.illegalArgument(`field [${field}] contains null, cannot join.`);
      const texts = list.map(javaText);
      document.charge(texts.reduce((sum, text) => sum + text.length + separator.length, 0));
      document.set(targetField, texts.join(separator));
    };
  },
};
