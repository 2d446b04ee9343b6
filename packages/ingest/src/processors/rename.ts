import { errors } from '@shoal/errors';
import type { ProcessorType } from '../processor-type.js';

/** Moves the value of a field to another field. */
export const rename: ProcessorType = {
  name: 'rename',
  parse(config) {
    const field = config.template('field');
    const targetField = config.template('target_field');
    const ignoreMissing = config.boolean('ignore_missing', false);
    const overrides = config.boolean('override', false);
    return (document) => {
      const path = field.render(document);
      if (path === '' || !document.has(path, true)) {
        if (ignoreMissing) return;
        const what = path === '' ? 'field path cannot be null nor empty' : `field [${path}] doesn't exist`;
        throw errors.illegalArgument(what);
      }
      const target = targetField.render(document);
      if (document.has(target, true) && !overrides) throw errors.illegalArgument(`field [${target}] already exists`);
      const value = document.get(path);
      document.remove(path);
      try {
        document.set(target, value);
      } catch (thrown) {
        document.set(path, value);
        throw thrown;
      }
    };
  },
};
