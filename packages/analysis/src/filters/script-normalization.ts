import type { FilterFactory } from '../component.js';
import { termFilter } from '../token.js';

function normalizer(change: (term: string) => string): FilterFactory {
  return { normalizes: true, create: (name) => termFilter(name, change, { normalizes: true }) };
}

/** Normalizes German: `ae`, `oe`, `ue` (not after q or a vowel) and umlauts to plain vowels, `ß` to `ss`. */
export function normalizeGerman(text: string): string {
  const folded = text.replace(/(?<![aeiouyq])ue|ae|oe/g, (pair) => pair[0]!);
  return folded.replaceAll('ä', 'a').replaceAll('ö', 'o').replaceAll('ü', 'u').replaceAll('ß', 'ss');
}

/** Normalizes Arabic: removes tatweel and vowel marks, and unifies the forms of alef, teh marbuta and yeh. */
export function normalizeArabic(text: string): string {
  return text
    .replace(/[\u0622\u0623\u0625]/g, '\u0627')
    .replaceAll('\u0649', '\u064a')
    .replaceAll('\u0629', '\u0647')
    .replace(/\u0640|[\u064b-\u0652]/g, '');
}

/** Normalizes Persian: replaces the Persian forms of yeh, kaf and heh by the Arabic ones. */
export function normalizePersian(text: string): string {
  return text
    .replace(/[\u06cc\u06d2]/g, '\u064a')
    .replaceAll('\u06a9', '\u0643')
    .replace(/[\u06c0\u06c1]/g, '\u0647')
    .replaceAll('\u0654', '');
}

/** Replaces `åÅäæÄÆöøØÖ` by `aAaaAAooOO`, and the pairs `aa ae ao oe oo` by their first letter. */
export function foldScandinavian(text: string): string {
  const plain = text.replace(/[åäæ]/g, 'a').replace(/[ÅÄÆ]/g, 'A').replace(/[öø]/g, 'o').replace(/[ÖØ]/g, 'O');
  return plain.replace(/([aA])[aAeEoO]|([oO])[eEoO]/g, (pair) => pair[0]!);
}

/** Replaces `äÄöÖ` by `æÆøØ`, and the pairs `aa ae ao oe oo` by `å æ å ø ø`. */
export function normalizeScandinavian(text: string): string {
  const plain = text.replaceAll('ä', 'æ').replaceAll('Ä', 'Æ').replaceAll('ö', 'ø').replaceAll('Ö', 'Ø');
  return plain
    .replace(/a[aAoO]/g, 'å')
    .replace(/A[aAoO]/g, 'Å')
    .replace(/a[eE]/g, 'æ')
    .replace(/A[eE]/g, 'Æ')
    .replace(/o[eEoO]/g, 'ø')
    .replace(/O[eEoO]/g, 'Ø');
}

/** `german_normalization`: see `normalizeGerman`. */
export const germanNormalization: FilterFactory = normalizer(normalizeGerman);
/** `arabic_normalization`: see `normalizeArabic`. */
export const arabicNormalization: FilterFactory = normalizer(normalizeArabic);
/** `persian_normalization`: see `normalizePersian`. */
export const persianNormalization: FilterFactory = normalizer(normalizePersian);
/** `scandinavian_folding`: see `foldScandinavian`. */
export const scandinavianFolding: FilterFactory = normalizer(foldScandinavian);
/** `scandinavian_normalization`: see `normalizeScandinavian`. */
export const scandinavianNormalization: FilterFactory = normalizer(normalizeScandinavian);
