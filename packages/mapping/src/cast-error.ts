import { errors } from '@shoal/errors';

/** Returns the error of a JSON value that 8.12 takes for a map or a list without looking, in the words of its JVM. */
export function castError(value: unknown, wanted: string): Error {
  const name =
    typeof value === 'string'
      ? 'String'
      : typeof value === 'boolean'
        ? 'Boolean'
        : typeof value === 'number'
          ? 'Integer'
          : 'util.ArrayList';
  const from = `class java.${name.startsWith('util') ? '' : 'lang.'}${name}`;
  return errors.classCast(
    `${from} cannot be cast to class java.util.${wanted} (${from.slice(6)} and java.util.${wanted} are in module ` +
      `java.base of loader 'bootstrap')`,
  );
}
