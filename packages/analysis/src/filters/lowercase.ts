import { errors } from '@shoal/errors';
import type { FilterFactory } from '../component.js';
import { termFilter } from '../token.js';
import { lowerCase } from '../unicode/case.js';

/** Lower case of Turkish: `I` becomes `ı`, `İ` becomes `i`. */
export function lowerTurkish(text: string): string {
  return lowerCase(text.replaceAll('I', 'ı').replaceAll('İ', 'i'));
}

/** Lower case of Greek without accents; `ς` becomes `σ`. */
export function lowerGreek(text: string): string {
  const folded = lowerCase(text)
    .normalize('NFD')
    .replace(/[\u0301\u0308\u0342\u0345\u0313\u0314\u0300]/g, '');
  return folded.normalize('NFC').replaceAll('ς', 'σ');
}

/** Lower case of Irish: `nAthair` becomes `n-athair`, `tUisce` becomes `t-uisce`. */
export function lowerIrish(text: string): string {
  const first = text.charAt(0);
  const isPrefixed = (first === 'n' || first === 't') && /^[AEIOUÁÉÍÓÚ]/.test(text.slice(1));
  return lowerCase(isPrefixed ? `${first}-${text.slice(1)}` : text);
}

const LANGUAGES: ReadonlyMap<string, (text: string) => string> = new Map([
  ['greek', lowerGreek],
  ['irish', lowerIrish],
  ['turkish', lowerTurkish],
]);

/** `lowercase`: lower case; `language` greek, irish or turkish has rules of its own. */
export const lowercase: FilterFactory = {
  normalizes: true,
  create(name, parameters) {
    if (!parameters.has('language')) return termFilter(name, lowerCase, { normalizes: true });
    const language = parameters.text('language', '');
    const change = LANGUAGES.get(language.toLowerCase());
    if (!change) throw errors.illegalArgument(`language [${language}] not support for lower case`);
    return termFilter(name, change, { normalizes: true });
  },
};
