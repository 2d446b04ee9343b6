import { errors } from '@shoal/errors';

/** Limit on the characters of a specification, which is read for each plan. */
const CHARACTERS_MAX = 4096;

/**
 * Returns how many of `clauses` optional clauses must match, for `3`, `-2`, `75%`, `-25%`, `3<90%` and lists of
 * conditions. Never negative; may exceed `clauses`.
 */
export function minimumShouldMatch(spec: string, clauses: number): number {
  if (spec.length > CHARACTERS_MAX)
    throw errors.illegalArgument(
      `The length of [minimum_should_match] [${spec.length}] has exceeded the allowed maximum of [${CHARACTERS_MAX}]`,
    );
  const trimmed = spec.trim();
  return trimmed.includes('<') ? conditional(trimmed, clauses) : Math.max(0, single(trimmed, clauses));
}

function conditional(spec: string, clauses: number): number {
  let result = clauses;
  for (const condition of spec.replace(/\s*<\s*/g, '<').split(/\s+/)) {
    const [bound = '', value = ''] = condition.split('<');
    if (clauses <= integer(bound)) return result;
    result = minimumShouldMatch(value, clauses);
  }
  return result;
}

function single(spec: string, clauses: number): number {
  const isPercentage = spec.includes('%');
  const number = integer(isPercentage ? spec.slice(0, -1) : spec);
  const count = isPercentage ? Math.trunc(Math.fround(clauses * number * Math.fround(0.01))) : number;
  return number < 0 ? clauses + count : count;
}

function integer(text: string): number {
  if (/^[+-]?\d+$/.test(text)) return Number(text);
  throw errors.numberFormat(text === '' ? 'For input string: ""' : `For input string: "${text}"`);
}
