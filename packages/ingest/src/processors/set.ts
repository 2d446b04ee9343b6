import { isSmallJson } from '@shoal/json';
import { type IngestDocument, MEMBER_BYTES } from '../document.js';
import type { ConfigReader } from '../config-reader.js';
import { measuredCopy } from '../measured-copy.js';
import type { ProcessorType } from '../processor-type.js';
import { andThen, type Pause } from '../steps-in-turns.js';
import { compileValue } from '../template.js';

/** Sets a field to a value, whose texts may have snippets, or to a copy of another field. */
export const set: ProcessorType = {
  name: 'set',
  parse(config) {
    const field = config.template('field');
    const value = valueOf(config);
    const overrides = config.boolean('override', true);
    const ignoresEmpty = config.boolean('ignore_empty_value', false);
    return (document, { pause }) => {
      const path = field.render(document);
      if (!overrides && document.has(path) && document.get(path) !== null) return;
      const put = (result: unknown): void => {
        if (ignoresEmpty && (result === null || result === '')) return;
        document.set(path, result);
      };
      const result = value(document, ignoresEmpty, pause);
      return result instanceof Promise ? result.then(put) : put(result);
    };
  },
};

/** Returns the value, or a promise of a large copy. */
type Value = (document: IngestDocument, ignoreMissing: boolean, pause: Pause) => unknown;

function valueOf(config: ConfigReader): Value {
  const copyFrom = config.optionalString('copy_from');
  const mediaType = config.mediaType('media_type');
  if (copyFrom === null) return compileValue(config.value('value'), (text) => config.compile(null, text, mediaType));
  if (config.optional('value') !== null)
    throw config.error('copy_from', 'cannot set both `copy_from` and `value` in the same processor');
  return (document, ignoreMissing, pause) => copyFor(document, document.get(copyFrom, ignoreMissing), pause);
}

/** Members of a value that is copied at a stretch: a millisecond. */
const MEMBERS_AT_ONCE = 2_048;

/** Copies a value for a document, and charges what it weighs; a large one in turns of the thread. */
function copyFor(document: IngestDocument, value: unknown, pause: Pause): unknown {
  if (isSmallJson(value, MEMBERS_AT_ONCE)) return document.copyOf(value);
  return andThen(measuredCopy(value, pause), ({ value: copy, length, members }) => {
    document.charge(length + members * MEMBER_BYTES);
    return copy;
  });
}
