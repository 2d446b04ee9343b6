import type { Mapping } from '@shoal/mapping';
import type { Plan } from '../plan.js';
import { rangeBlocks } from './number-blocks.js';

/**
 * Terms of which a document must have at least one to match a plan, as `documentTerm` writes them; null if there are
 * none that are known. No terms at all: nothing matches.
 */
export type RequiredTerms = readonly string[] | null;

/** Term of the stored queries that require no term of a document, so that they are looked at for every document. */
export const ANY_DOCUMENT = '';

/** Inputs for telling the terms that a kind of plan requires. */
export interface TermRequirements {
  readonly mapping: Mapping;
  /** Returns the terms that an inner plan requires. */
  of(plan: Plan): RequiredTerms;
}

/** Limit on the terms of one query: a query with more is looked at for every document. */
const TERMS_MAX = 1024;
/** Limit on the length of a term, with the name of its field. */
const TERM_LENGTH_MAX = 4096;

/** A term of a field as the index of stored queries has it. */
export const documentTerm = (field: string, term: string): string => `${field}\0${term}`;

/** Returns some terms of a field as required ones; null if the field has no terms in the index. */
export function termsOfField(field: string, terms: readonly string[], { mapping }: TermRequirements): RequiredTerms {
  const type = mapping.field(field);
  if (type === null || type.runtime !== undefined || (type.layout?.terms ?? null) === null) return null;
  return limited(terms.map((term) => documentTerm(field, term)));
}

/**
 * Returns the blocks of numbers of which a document must have one to have a number in one of the ranges, ends included;
 * null if the field has no column of numbers.
 */
export function numbersOfField(
  field: string,
  ranges: readonly (readonly [low: number, high: number])[],
  { mapping }: TermRequirements,
): RequiredTerms {
  const type = mapping.field(field);
  if (type === null || type.runtime !== undefined || !NUMBER_COLUMNS.has(type.layout?.column ?? '')) return null;
  const blocks = ranges.slice(0, TERMS_MAX + 1).flatMap(([low, high]) => rangeBlocks(low, high));
  return limited(blocks.map((block) => documentTerm(field, block)));
}

const NUMBER_COLUMNS: ReadonlySet<string> = new Set(['long', 'double']);

/** Returns the terms of which one is required if at least one of several plans must match. */
export function anyOf(parts: readonly RequiredTerms[]): RequiredTerms {
  return parts.includes(null) ? null : limited([...new Set(parts.flatMap((part) => part!))]);
}

/** Returns the terms of which one is required if all of several plans must match: those of the most selective plan. */
export function oneOf(parts: readonly RequiredTerms[]): RequiredTerms {
  return parts.reduce((best, part) => (best === null || (part !== null && isRarer(part, best)) ? part : best), null);
}

/** Fewer terms match fewer documents; of as many, long terms do. */
function isRarer(terms: readonly string[], than: readonly string[]): boolean {
  return terms.length < than.length || (terms.length === than.length && shortest(terms) > shortest(than));
}

const shortest = (terms: readonly string[]): number => Math.min(...terms.map((term) => term.length));

function limited(terms: readonly string[]): RequiredTerms {
  return terms.length <= TERMS_MAX && terms.every((term) => term.length <= TERM_LENGTH_MAX) ? terms : null;
}
