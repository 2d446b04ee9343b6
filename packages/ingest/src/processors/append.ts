import type { ProcessorType } from '../processor-type.js';
import { compileValue } from '../template.js';

/** Adds values to the list of a field; a field with one value becomes a list. */
export const append: ProcessorType = {
  name: 'append',
  parse(config) {
    const field = config.template('field');
    const mediaType = config.mediaType('media_type');
    const value = compileValue(config.value('value'), (text) => config.compile('value', text, mediaType));
    const allowsDuplicates = config.boolean('allow_duplicates', true);
    return (document) => document.append(field.render(document), value(document), allowsDuplicates);
  },
};
