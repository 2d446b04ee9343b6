import { errors, isApiError } from '@shoal/errors';
import type { ConfigReader } from '../config-reader.js';
import { type Bank, grokBank } from '../grok/bank.js';
import { compileGrok, type FoundMatch, type Grok } from '../grok/grok.js';
import type { TimeGuard } from '../time-guard.js';
import type { ProcessorType } from '../processor-type.js';

/** Reads whether captures have names of the Elastic Common Schema. */
export function bankOf(config: ConfigReader): Bank {
  const mode = config.stringOr('ecs_compatibility', 'disabled');
  if (mode !== 'disabled' && mode !== 'v1') throw config.error('ecs_compatibility', `unsupported mode '${mode}'`);
  const own = config.optionalMap('pattern_definitions') ?? {};
  const texts = Object.entries(own).map(([name, text]) => [name, config.textOf('pattern_definitions', text)] as const);
  return { ...grokBank(mode === 'v1'), ...Object.fromEntries(texts) };
}

/** Compiles the expressions of an option. */
export function grokPatterns(config: ConfigReader, bank: Bank, guard: TimeGuard): readonly Grok[] {
  const patterns = config.strings('patterns');
  if (patterns.length === 0) throw config.error('patterns', 'List of patterns must not be empty');
  return patterns.map((pattern) => {
    try {
      return compileGrok(pattern, bank, guard);
    } catch (error) {
      if (!isApiError(error)) throw error;
      throw config.error('patterns', `Invalid regex pattern found in: [${patterns.join(', ')}]. ${error.reason}`);
    }
  });
}

/**
 * Returns the match that begins first, of several there the one of the first expression: Elasticsearch tries all
 * expressions at one place of the text before it goes to the next.
 */
function firstMatch(patterns: readonly Grok[], text: string): { match: FoundMatch; pattern: number } | null {
  let best: { match: FoundMatch; pattern: number } | null = null;
  for (let pattern = 0; pattern < patterns.length && best?.match.index !== 0; pattern++) {
    const match = patterns[pattern]!.find(text);
    if (match !== null && (best === null || match.index < best.match.index)) best = { match, pattern };
  }
  return best;
}

/** Takes fields out of a text by the one of several expressions that matches first. */
export const grok: ProcessorType = {
  name: 'grok',
  parse(config, { guard }) {
    const field = config.string('field');
    const patterns = grokPatterns(config, bankOf(config), guard);
    const tracesMatch = config.boolean('trace_match', false);
    const ignoreMissing = config.boolean('ignore_missing', false);
    return (document) => {
      const text = document.text(field, ignoreMissing);
      if (text === null) {
        if (ignoreMissing) return;
        throw errors.illegalArgument(`field [${field}] is null, cannot process it.`);
      }
      const found = firstMatch(patterns, text);
      if (found === null) throw errors.illegalArgument(`Provided Grok expressions do not match field value: [${text}]`);
      document.charge(text.length);
      for (const [name, value] of found.match.fields()) document.set(name, value);
      if (tracesMatch) document.set('_ingest._grok_match_index', String(found.pattern));
    };
  },
};
