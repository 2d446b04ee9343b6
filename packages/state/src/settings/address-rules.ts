import { errors } from '@shoal/errors';
import { parseCidr, parseIp } from '@shoal/values';
import type { ValueCheck } from './setting.js';

/**
 * Returns what is wrong with a rule of an IP filter (an address, a network such as `10.0.0.0/8`, or `_all`); null if it
 * is valid.
 */
export function addressRuleProblem(rule: string): string | null {
  if (rule === '_all') return null;
  if (rule.includes('/')) return parseCidr(rule) === null ? `[${rule}] is not a network` : null;
  return parseIp(rule) === null
    ? `[${rule}] is not an address or a network; filters by host name are not supported`
    : null;
}

/** Splits the value of a setting into rules: an array, or a string with commas. */
export function addressRulesOf(value: unknown): readonly string[] {
  const list = Array.isArray(value)
    ? value.map(String)
    : String(value ?? '')
        .replace(/^\[|\]$/g, '')
        .split(',');
  return list.map((rule) => rule.trim()).filter((rule) => rule !== '');
}

/** Throws if a rule is neither an address, a network nor `_all`. */
export const addressRules: ValueCheck = (value, name) => {
  for (const rule of addressRulesOf(value)) {
    const problem = addressRuleProblem(rule);
    if (problem !== null) throw errors.illegalArgument(`Failed to parse value for setting [${name}]: ${problem}`);
  }
};
