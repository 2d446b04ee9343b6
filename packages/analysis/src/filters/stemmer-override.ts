import { errors } from '@shoal/errors';
import type { FilterFactory } from '../component.js';

function parseRules(rules: readonly string[]): ReadonlyMap<string, string> {
  const overrides = new Map<string, string>();
  for (const rule of rules) {
    const [left = '', right, ...more] = rule.split('=>');
    if (right === undefined || more.length > 0 || right.trim() === '' || right.includes(','))
      throw errors.illegalArgument(`Invalid Keyword override Rule:${rule}`);
    for (const key of left.split(',')) {
      if (key.trim() === '') throw errors.illegalArgument(`Invalid Keyword override Rule:${rule}`);
      overrides.set(key.trim(), right.trim());
    }
  }
  return overrides;
}

/**
 * `stemmer_override`: stems by `rules` such as `running, runs => run`; the results are keywords, which stemmers keep.
 */
export const stemmerOverride: FilterFactory = {
  needsSettings: true,
  create(name, parameters) {
    const rules = parameters.list('rules');
    if (rules === null)
      throw errors.illegalArgument('stemmer override filter requires either `rules` or `rules_path` to be configured');
    const overrides = parseRules(rules);
    return {
      name,
      normalize: null,
      apply(stream) {
        for (const token of stream.tokens) {
          const stem = token.keyword ? undefined : overrides.get(token.term);
          if (stem === undefined) continue;
          token.term = stem;
          token.keyword = true;
        }
        return stream;
      },
    };
  },
};
