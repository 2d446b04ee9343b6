import { errors } from '@shoal/errors';
import type { IngestDocument } from '../document.js';
import { isObject } from '../java-values.js';
import type { ProcessorType } from '../processor-type.js';
import { inTurns } from '../steps-in-turns.js';

/** Moves a member with a dotted name into objects. */
function expand(
  document: IngestDocument,
  object: Record<string, unknown>,
  prefix: string,
  name: string,
  overrides: boolean,
): void {
  if (!Object.hasOwn(object, name)) return;
  const path = prefix + name;
  const value = object[name];
  checkWay(document, prefix, name);
  delete object[name];
  if (!document.has(path)) document.set(path, value);
  else if (isObject(document.get(path)) && isObject(value)) Object.assign(document.get(path) as object, value);
  else if (overrides) document.set(path, value);
  else document.append(path, value);
}

/** Refuses a name whose beginning is a value already. */
function checkWay(document: IngestDocument, prefix: string, name: string): void {
  const parts = name.split('.');
  for (let i = 1; i < parts.length; i++) {
    const path = prefix + parts.slice(0, i).join('.');
    if (document.has(path) && !isObject(document.get(path)))
      throw errors.illegalArgument(
        `cannot expend [${prefix}${name}], because [${path}] is not an object field, but a value field`,
      );
  }
}

/** Turns a field with dots in its name into an object. */
export const dotExpander: ProcessorType = {
  name: 'dot_expander',
  parse(config) {
    const field = config.string('field');
    const path = config.optionalString('path');
    const overrides = config.boolean('override', false);
    if (field !== '*') {
      if (!field.includes('.')) throw config.error('field', `field does not contain a dot and is not a wildcard`);
      if (field.startsWith('.') || field.endsWith('.'))
        throw config.error('field', "Field can't start or end with a dot");
      if (field.includes('..')) throw config.error('field', 'No space between dots');
    }
    return (document, { pause }) => {
      const object = path === null ? document.source : document.object(path);
      const prefix = path === null ? '' : `${path}.`;
      if (object === null) return;
      const names = field === '*' ? Object.keys(object).filter((name) => name.includes('.')) : [field];
      let done = 0;
      const step = (): boolean => {
        if (done === names.length) return false;
        expand(document, object, prefix, names[done++]!, overrides);
        return true;
      };
      return inTurns(step, pause);
    };
  },
};
