import { errors } from '@shoal/errors';
import type { CharFilterFactory } from '../component.js';
import type { FilteredText } from '../token.js';
import { textBuilder } from './offset-map.js';

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', b: '\b', f: '\f' };

function unescape(text: string): string {
  return text.replace(/\\(?:u([0-9a-fA-F]{4})|(.))/g, (_all, code: string | undefined, char: string) =>
    code === undefined ? (ESCAPES[char] ?? char) : String.fromCharCode(parseInt(code, 16)),
  );
}

function parseRules(rules: readonly string[]): ReadonlyMap<string, string> {
  const map = new Map<string, string>();
  for (const rule of rules) {
    const match = /^(.*)\s*=>\s*(.*)\s*$/s.exec(rule);
    if (!match) throw errors.illegalArgument(`Invalid Mapping Rule : [${rule}]`);
    const from = unescape((match[1] ?? '').trim());
    if (map.has(from)) throw errors.illegalArgument(`match "${from}" was already added`);
    map.set(from, unescape((match[2] ?? '').trim()));
  }
  return map;
}

function applyRules(text: string, rules: ReadonlyMap<string, string>, longest: number): FilteredText {
  const builder = textBuilder();
  let copied = 0;
  for (let i = 0; i < text.length; ) {
    let size = Math.min(longest, text.length - i);
    while (size > 0 && !rules.has(text.slice(i, i + size))) size--;
    if (size === 0) {
      i++;
      continue;
    }
    if (i > copied) builder.append(text.slice(copied, i), copied, i);
    builder.append(rules.get(text.slice(i, i + size))!, i, i + size);
    i += size;
    copied = i;
  }
  if (copied < text.length) builder.append(text.slice(copied), copied, text.length);
  return builder.finish();
}

/** `mapping`: replaces texts by `mappings` such as `& => and`; the longest match wins. */
export const mapping: CharFilterFactory = {
  needsSettings: true,
  normalizes: true,
  create(name, parameters) {
    const list = parameters.list('mappings');
    if (list === null)
      throw errors.illegalArgument('mapping requires either `mappings` or `mappings_path` to be configured');
    const rules = parseRules(list);
    const longest = Math.max(0, ...[...rules.keys()].map((key) => key.length));
    return { name, isNormalizing: true, apply: (text) => applyRules(text, rules, longest) };
  },
};
