import { errors } from '@shoal/errors';
import type { ConfigReader } from './config-reader.js';
import { javaClass } from './java-values.js';
import type { ProcessorType } from './processor-type.js';

/**
 * Changes one text; `field` is for its errors. What makes a text much longer charges its bytes before it makes them
 * (`IngestDocument.charge`).
 */
export type TextChange = (text: string, field: string, charge: (bytes: number) => void) => unknown;

/**
 * Returns a processor that changes the text of a field, or each text of a list, with the options `field`,
 * `target_field` and `ignore_missing`. `prepare` reads further options.
 */
export function stringProcessor(name: string, prepare: (config: ConfigReader) => TextChange): ProcessorType {
  return {
    name,
    parse(config) {
      const field = config.string('field');
      const ignoreMissing = config.boolean('ignore_missing', false);
      const targetField = config.stringOr('target_field', field);
      const change = prepare(config);
      return (document) => {
        const value = document.get(field, ignoreMissing) ?? null;
        if (value === null) {
          if (ignoreMissing) return;
          throw errors.illegalArgument(`field [${field}] is null, cannot process it.`);
        }
        const charge = (bytes: number): void => document.charge(bytes);
        const result = Array.isArray(value)
          ? value.map((item) => change(textIn(item, field), field, charge))
          : change(textOf(value, field), field, charge);
        document.set(targetField, result);
      };
    },
  };
}

function textOf(value: unknown, field: string): string {
  if (typeof value === 'string') return value;
  throw errors.illegalArgument(`field [${field}] of type [${javaClass(value)}] cannot be cast to [java.lang.String]`);
}

function textIn(item: unknown, field: string): string {
  if (typeof item === 'string') return item;
  throw errors.illegalArgument(
    `value [${String(item)}] of type [${javaClass(item)}] in list field [${field}] cannot be cast to ` +
      '[java.lang.String]',
  );
}
