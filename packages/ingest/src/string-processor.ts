import { errors } from '@shoal/errors';
import type { ConfigReader } from './config-reader.js';
import { javaClass } from './java-values.js';
import type { ProcessorType } from './processor-type.js';
import { andThen, type Pause } from './steps-in-turns.js';

/** What changing a text may use: `charge` counts bytes of what becomes much longer, before they are made. */
export interface ChangeSite {
  /** Name of the field, for errors. */
  readonly field: string;
  readonly charge: (bytes: number) => void;
  readonly pause: Pause;
}

/** Changes one text. A promise if it took so long that the thread was given to others meanwhile. */
export type TextChange = (text: string, site: ChangeSite) => unknown;

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
      return (document, { pause }) => {
        const value = document.get(field, ignoreMissing) ?? null;
        if (value === null) {
          if (ignoreMissing) return;
          throw errors.illegalArgument(`field [${field}] is null, cannot process it.`);
        }
        const site: ChangeSite = { field, charge: (bytes) => document.charge(bytes), pause };
        const result = Array.isArray(value)
          ? changeAll(value, (item) => change(textIn(item, field), site), pause)
          : change(textOf(value, field), site);
        return andThen(result, (changed) => document.set(targetField, changed));
      };
    },
  };
}

type Items = readonly unknown[];
type Change = (item: unknown) => unknown;

/** Changes items one after another; a promise if one of them was one, or if the thread was given to others. */
function changeAll(items: Items, change: Change, pause: Pause): unknown[] | Promise<unknown[]> {
  const results: unknown[] = [];
  while (results.length < items.length) {
    const paused = pause();
    if (paused) return changeRest(items, results, change, pause, paused);
    const result = change(items[results.length]);
    if (result instanceof Promise) {
      const taken = result.then((value) => void results.push(value));
      return changeRest(items, results, change, pause, taken);
    }
    results.push(result);
  }
  return results;
}

async function changeRest(
  items: Items,
  results: unknown[],
  change: Change,
  pause: Pause,
  first: Promise<void>,
): Promise<unknown[]> {
  for (let paused: Promise<void> | null = first; ; paused = pause()) {
    if (paused) await paused;
    if (results.length === items.length) return results;
    const result = change(items[results.length]);
    results.push(result instanceof Promise ? await result : result);
  }
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
