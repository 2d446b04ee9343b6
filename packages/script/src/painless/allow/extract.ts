import { currentBudget } from '../../runtime/budget.js';
import { scriptEnvironment, type TextExtractor } from '../../runtime/environment.js';
import { ScriptObject } from '../../runtime/values.js';
import type { AllowTable } from './class-row.js';

/** An expression of grok or dissect, which takes named parts out of texts. */
class NamedGroupExtractor extends ScriptObject {
  readonly javaClass = 'org.elasticsearch.script.NamedGroupExtractor';
  readonly #extractor: TextExtractor;

  constructor(extractor: TextExtractor) {
    super();
    this.#extractor = extractor;
  }

  extract(text: string): Record<string, unknown> | null {
    currentBudget().charge(2 * text.length);
    return this.#extractor(text);
  }
}

/** The class of what `grok(…)` and `dissect(…)` return. */
export const EXTRACT: AllowTable = [
  {
    name: 'org.elasticsearch.script.NamedGroupExtractor',
    methods: { 'Map extract(String)': (extractor: NamedGroupExtractor, text: string) => extractor.extract(text) },
  },
];

/** Expressions that are kept compiled. */
const KEPT_MAX = 500;
const kept = new Map<string, NamedGroupExtractor>();

/** Compiles an expression. Throws illegal_argument_exception for a malformed one. */
export function namedGroups(syntax: 'grok' | 'dissect', expression: string): NamedGroupExtractor {
  const key = `${syntax} ${expression}`;
  const known = kept.get(key);
  if (known !== undefined) return known;
  const made = new NamedGroupExtractor(scriptEnvironment().extractor(syntax, expression));
  kept.set(key, made);
  if (kept.size > KEPT_MAX) kept.delete(kept.keys().next().value!);
  return made;
}
