import { errors } from '@shoal/errors';
import { compileRegex } from '../regex.js';
import { splitText } from '../split-text.js';
import { andThen } from '../steps-in-turns.js';
import type { ProcessorType } from '../processor-type.js';

/** Splits a text at what a regular expression matches. */
export const split: ProcessorType = {
  name: 'split',
  parse(config) {
    const field = config.string('field');
    const ignoreMissing = config.boolean('ignore_missing', false);
    const targetField = config.stringOr('target_field', field);
    const separator = compileRegex(config, 'separator', config.string('separator'));
    const keepsTrailing = config.boolean('preserve_trailing', false);
    return (document, { pause }) => {
      const text = document.text(field, ignoreMissing);
      if (text === null) {
        if (ignoreMissing) return;
        throw errors.illegalArgument(`field [${field}] is null, cannot split.`);
      }
      document.charge(text.length);
      const parts = splitText(separator, text, keepsTrailing, pause);
      return andThen(parts, (list) => document.set(targetField, list));
    };
  },
};
