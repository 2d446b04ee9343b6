import { errors } from '@shoal/errors';
import type { Grok } from '../grok/grok.js';
import type { ProcessorType } from '../processor-type.js';
import { bankOf, grokPatterns } from './grok.js';

/** A part of a text that is covered; `end` is exclusive. */
interface Region {
  readonly start: number;
  readonly end: number;
  readonly name: string;
}

/** Returns all matches of an expression, one after another. Empty matches cover nothing. */
function regionsOf(pattern: Grok, name: string, text: string): Region[] {
  const regions: Region[] = [];
  for (let offset = 0; offset < text.length; ) {
    const found = pattern.find(text.slice(offset));
    if (found === null) break;
    const start = offset + found.index;
    const end = start + found.length;
    if (found.length > 0) regions.push({ start, end, name });
    offset = Math.max(end, start + 1);
  }
  return regions;
}

/** Joins regions that overlap; the longest gives its name to all of them. */
function joined(regions: readonly Region[]): Region[] {
  const result: { start: number; end: number; name: string; longest: number }[] = [];
  for (const { start, end, name } of regions.toSorted((a, b) => a.start - b.start)) {
    const last = result.at(-1);
    if (last === undefined || start >= last.end) {
      result.push({ start, end, name, longest: end - start });
      continue;
    }
    last.end = Math.max(last.end, end);
    if (end - start <= last.longest) continue;
    last.longest = end - start;
    last.name = name;
  }
  return result;
}

/** Covers what expressions of grok match by the names of their fields: `<CLIENT>` for `%{IP:CLIENT}`. */
export const redact: ProcessorType = {
  name: 'redact',
  parse(config, { guard }) {
    const field = config.string('field');
    const patterns = grokPatterns(config, bankOf(config), guard);
    const ignoreMissing = config.boolean('ignore_missing', true);
    const prefix = config.stringOr('prefix', '<');
    const suffix = config.stringOr('suffix', '>');
    config.boolean('skip_if_unlicensed', false);
    const named = patterns.map((pattern) => {
      const [name] = pattern.fieldNames;
      if (name !== undefined) return { pattern, name };
      throw config.error('patterns', 'each pattern must name the field that replaces what it matches');
    });
    return (document) => {
      const text = document.text(field, true);
      if (text === null) {
        if (ignoreMissing) return;
        throw errors.illegalArgument(`field [${field}] is null or missing`);
      }
      const regions = joined(named.flatMap(({ pattern, name }) => regionsOf(pattern, name, text)));
      if (regions.length === 0) return;
      let result = '';
      let from = 0;
      for (const { start, end, name } of regions) {
        result += `${text.slice(from, start)}${prefix}${name}${suffix}`;
        from = end;
      }
      document.charge(text.length);
      document.set(field, result + text.slice(from));
    };
  },
};
