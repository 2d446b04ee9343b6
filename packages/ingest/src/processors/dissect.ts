import { errors } from '@shoal/errors';
import type { ConfigReader } from '../config-reader.js';
import { compileDissect, type Dissect } from '../dissect.js';
import type { ProcessorType } from '../processor-type.js';

function compile(config: ConfigReader, pattern: string, separator: string): Dissect {
  try {
    return compileDissect(pattern, separator);
  } catch (error) {
    throw config.error('pattern', error instanceof Error ? error.message : String(error));
  }
}

/** Cuts a text at fixed delimiters into fields. */
export const dissect: ProcessorType = {
  name: 'dissect',
  parse(config) {
    const field = config.string('field');
    const pattern = config.string('pattern');
    const compiled = compile(config, pattern, config.stringOr('append_separator', ''));
    const ignoreMissing = config.boolean('ignore_missing', false);
    return (document) => {
      const text = document.text(field, ignoreMissing);
      if (text === null) {
        if (ignoreMissing) return;
        throw errors.illegalArgument(`field [${field}] is null, cannot process it.`);
      }
      const found = compiled.parse(text);
      if (found === null)
        throw errors.dissectFindMatch(`Unable to find match for dissect pattern: ${pattern} against source: ${text}`);
      document.charge(text.length);
      for (const [name, value] of found) document.set(name, value);
    };
  },
};
