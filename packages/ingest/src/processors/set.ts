import type { IngestDocument } from '../document.js';
import type { ConfigReader } from '../config-reader.js';
import type { ProcessorType } from '../processor-type.js';
import { compileValue } from '../template.js';

/** Sets a field to a value, whose texts may have snippets, or to a copy of another field. */
export const set: ProcessorType = {
  name: 'set',
  parse(config) {
    const field = config.template('field');
    const value = valueOf(config);
    const overrides = config.boolean('override', true);
    const ignoresEmpty = config.boolean('ignore_empty_value', false);
    return (document) => {
      const path = field.render(document);
      if (!overrides && document.has(path) && document.get(path) !== null) return;
      const result = value(document, ignoresEmpty);
      if (ignoresEmpty && (result === null || result === '')) return;
      document.set(path, result);
    };
  },
};

type Value = (document: IngestDocument, ignoreMissing: boolean) => unknown;

function valueOf(config: ConfigReader): Value {
  const copyFrom = config.optionalString('copy_from');
  const mediaType = config.mediaType('media_type');
  if (copyFrom === null) return compileValue(config.value('value'), (text) => config.compile(null, text, mediaType));
  if (config.optional('value') !== null)
    throw config.error('copy_from', 'cannot set both `copy_from` and `value` in the same processor');
  return (document, ignoreMissing) => document.copyOf(document.get(copyFrom, ignoreMissing));
}
