import { signal } from '@preact/signals';
import { storedJson, storeText } from '../../state/browser-storage.js';

const NAME = 'console:variables';
/** Variables that are kept. */
export const VARIABLES_MAX = 200;

type Entries = readonly (readonly [name: string, value: string])[];

const isEntries = (value: unknown): value is Entries =>
  Array.isArray(value) &&
  value.every((one) => Array.isArray(one) && one.length === 2 && one.every((text) => typeof text === 'string'));

/** Variables of the console by name. */
export const variables = signal<ReadonlyMap<string, string>>(new Map(storedJson(NAME, isEntries, [])));

/** Sets a variable, or removes it with null. Returns what is wrong with it; empty if nothing. */
export function setVariable(name: string, value: string | null): string {
  if (!/^[\w.-]{1,100}$/.test(name)) return 'A name has letters, digits and . _ - alone.';
  const next = new Map(variables.value);
  if (value === null) next.delete(name);
  else next.set(name, value);
  if (next.size > VARIABLES_MAX) return `There are ${VARIABLES_MAX} variables already.`;
  variables.value = next;
  return storeText(NAME, JSON.stringify([...next]))
    ? ''
    : 'This browser keeps no more: the variable is gone with the page.';
}
