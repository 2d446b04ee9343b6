import { errors, isApiError, withoutStacks } from '@shoal/errors';
import { type MatchOptions, namedAnalyzer } from '../full-text/match-options.js';
import { lenientFailure, matchPlan } from '../full-text/match-plan.js';
import { isTextField } from '../full-text/text-field.js';
import { textPositions } from '../full-text/text-positions.js';
import type { PlanContext } from '../parsed-query.js';
import type { Plan } from '../plan.js';
import { boostPlan, nonePlan } from '../plan-query.js';
import { boolPlan } from '../queries/bool.js';
import { fuzzyPlan } from '../queries/fuzzy.js';
import { patternField } from '../queries/pattern-field.js';
import { prefixPlan } from '../queries/prefix.js';

/** Operators in the order of their bits in `flags`. */
export const SIMPLE_FLAGS = [
  'AND',
  'NOT',
  'OR',
  'PREFIX',
  'PHRASE',
  'PRECEDENCE',
  'ESCAPE',
  'WHITESPACE',
  'FUZZY',
  'NEAR',
];

/** Options by which the texts of simple_query_string become plans. */
export interface SimpleOptions {
  readonly match: MatchOptions;
  readonly fields: ReadonlyMap<string, number>;
  /** Boosts by field for phrases, with `quote_field_suffix` applied. */
  readonly quotedFields: ReadonlyMap<string, number>;
  readonly flags: ReadonlySet<string>;
  readonly defaultOperator: 'OR' | 'AND';
  readonly analyzeWildcard: boolean;
}

/** Limit on the depth of parentheses; deeper ones are skipped. */
const DEPTH_MAX = 200;
const FUZZY_EDITS_MAX = 2;
/** Distance of a tilde without a number. */
const DISTANCE_DEFAULT = 2;
const DISTANCE_MAX = 2 ** 31 - 1;

/** Returns the plan of a text in the simple syntax (Lucene's SimpleQueryParser); null when the text has no token. */
export function simplePlan(text: string, options: SimpleOptions, context: PlanContext): Plan | null {
  if (text.trim() === '*') return { kind: 'all', boost: 1 };
  const place: SimplePlace = { depth: 0, start: 0, closings: closingsOf(text, options), count: { clauses: 0 } };
  const plan = (): Plan | null => new SimpleParser(text, options, context, place).plan();
  return options.match.lenient ? withoutStacks(plan) : plan();
}

/** Where in a query a parser stands. */
interface SimplePlace {
  readonly depth: number;
  /** Where the parser's text begins in the text of the whole query. */
  readonly start: number;
  /** Closing parenthesis of each opening one, both by their places in the whole query; for none 0 or negative. */
  readonly closings: Int32Array;
  /** Clauses of the whole query so far, one for each field. */
  readonly count: { clauses: number };
}

/**
 * Returns where the parentheses that open in a text are closed, 0 or less elsewhere. What stands between two
 * that belong together is balanced, so that one pass serves parsers of all depths. An opening parenthesis that waits
 * for its end has -2 minus the place of the one that waits before it: no list of them is kept beside the array.
 */
function closingsOf(text: string, { flags }: SimpleOptions): Int32Array {
  if (!text.includes('(')) return new Int32Array(0);
  const closings = new Int32Array(text.length);
  let open = -1;
  for (let at = 0; at < text.length; at++) {
    const char = text[at];
    if (char === '\\' && flags.has('ESCAPE')) at++;
    else if (char === '(') {
      closings[at] = -2 - open;
      open = at;
    } else if (char === ')' && open >= 0) {
      const before = -2 - closings[open]!;
      closings[open] = at;
      open = before;
    }
  }
  return closings;
}

type Occur = 'must' | 'should';

class SimpleParser {
  readonly #text: string;
  readonly #options: SimpleOptions;
  readonly #context: PlanContext;
  readonly #place: SimplePlace;
  #at = 0;
  /** Plan of the text read so far. */
  #top: Plan | null = null;
  /** How the last two clauses were joined; consecutive clauses joined alike share one bool. */
  #previous: Occur | null = null;
  /** The clauses of `#top` that `#previous` joins. */
  #joined: Plan[] = [];
  #operator: Occur | null = null;
  #negations = 0;

  constructor(text: string, options: SimpleOptions, context: PlanContext, place: SimplePlace) {
    this.#text = text;
    this.#options = options;
    this.#context = context;
    this.#place = place;
  }

  plan(): Plan | null {
    while (this.#at < this.#text.length) this.#step(this.#text[this.#at]!);
    return this.#top;
  }

  #has(flag: string): boolean {
    return this.#options.flags.has(flag);
  }

  #step(char: string): void {
    if (char === '-' && this.#has('NOT')) {
      this.#negations++;
      this.#at++;
      return;
    }
    if (char === '(' && this.#has('PRECEDENCE')) this.#parentheses();
    else if (char === ')' && this.#has('PRECEDENCE')) this.#at++;
    else if (char === '"' && this.#has('PHRASE')) this.#phrase();
    else if (char === '+' && this.#has('AND')) this.#setOperator('must');
    else if (char === '|' && this.#has('OR')) this.#setOperator('should');
    else if (this.#isBlank(char)) this.#skipBlanks();
    else this.#token();
    this.#negations = 0;
  }

  #isBlank(char: string): boolean {
    return this.#has('WHITESPACE') && ' \t\n\r'.includes(char);
  }

  /** A text of megabytes of blanks is skipped by the regular expression ten times faster than by steps. */
  #skipBlanks(): void {
    const blanks = /[ \t\n\r]+/y;
    blanks.lastIndex = this.#at;
    blanks.test(this.#text);
    this.#at = blanks.lastIndex;
  }

  /**
   * Sets the operator before the next clause. Only the first operator between two clauses counts, and none before the
   * first clause.
   */
  #setOperator(operator: Occur): void {
    if (this.#operator === null && this.#top !== null) this.#operator = operator;
    this.#at++;
  }

  #parentheses(): void {
    const start = this.#at + 1;
    const { depth, count, closings, start: origin } = this.#place;
    const closing = closings[origin + this.#at]! - origin;
    const isClosed = closing >= start;
    this.#at = isClosed ? closing + 1 : start;
    if (!isClosed || depth >= DEPTH_MAX) return;
    if (closing === start) this.#operator = null;
    const inner = this.#text.slice(start, closing);
    const place = { depth: depth + 1, start: origin + start, closings, count };
    this.#add(new SimpleParser(inner, this.#options, this.#context, place).plan());
  }

  #phrase(): void {
    const start = ++this.#at;
    let phrase = '';
    while (this.#at < this.#text.length && this.#text[this.#at] !== '"') {
      if (this.#has('ESCAPE') && this.#text[this.#at] === '\\' && this.#at + 1 < this.#text.length) this.#at++;
      phrase += this.#text[this.#at++];
    }
    if (this.#at >= this.#text.length) {
      this.#at = start;
      return;
    }
    const end = this.#at++;
    if (end === start) this.#operator = null;
    const slop = this.#slop();
    this.#add(
      this.#onFields(
        this.#options.quotedFields,
        (field) => matchPlan(field, phrase, { ...this.#options.match, kind: 'phrase', slop }, this.#context),
        0,
      ),
    );
  }

  /** Reads `~N` behind a phrase. The character that ends it is skipped, as Lucene does, also an operator or a quote. */
  #slop(): number {
    if (this.#text[this.#at] !== '~' || !this.#has('NEAR')) return 0;
    const slop = this.#at + 1 < this.#text.length ? this.#distance() : 0;
    this.#at++;
    return slop;
  }

  /** Reads a tilde and all that follows up to the end of the token; what is not a whole number is 0. */
  #distance(): number {
    const start = ++this.#at;
    while (this.#at < this.#text.length && !this.#endsToken(this.#text[this.#at]!)) this.#at++;
    const text = this.#text.slice(start, this.#at);
    if (text === '') return DISTANCE_DEFAULT;
    const distance = /^[+-]?\d+$/.test(text) ? Number(text) : 0;
    return distance > 0 && distance <= DISTANCE_MAX ? distance : 0;
  }

  #token(): void {
    let token = '';
    let isPrefix = false;
    let edits: number | null = null;
    while (this.#at < this.#text.length) {
      const char = this.#text[this.#at]!;
      if (this.#has('ESCAPE') && char === '\\' && this.#at + 1 < this.#text.length) {
        token += this.#text[this.#at + 1];
        this.#at += 2;
        isPrefix = false;
        continue;
      }
      if (this.#endsToken(char)) break;
      if (token !== '' && char === '~' && this.#has('FUZZY')) {
        edits = Math.min(FUZZY_EDITS_MAX, this.#distance());
        break;
      }
      isPrefix = token !== '' && char === '*' && this.#has('PREFIX');
      token += char;
      this.#at++;
    }
    if (token !== '') this.#add(this.#tokenPlan(token, isPrefix, edits));
  }

  #endsToken(char: string): boolean {
    return (
      (char === '"' && this.#has('PHRASE')) ||
      (char === '|' && this.#has('OR')) ||
      (char === '+' && this.#has('AND')) ||
      ((char === '(' || char === ')') && this.#has('PRECEDENCE')) ||
      this.#isBlank(char)
    );
  }

  #tokenPlan(token: string, isPrefix: boolean, edits: number | null): Plan | null {
    const { match, fields } = this.#options;
    if (isPrefix && edits === null) return this.#onFields(fields, (field) => this.#prefix(field, token.slice(0, -1)));
    if (edits !== null && edits > 0) return this.#onFields(fields, (field) => this.#fuzzy(field, token, edits));
    return this.#onFields(fields, (field) => matchPlan(field, token, { ...match, fuzziness: null }, this.#context));
  }

  /** Returns the plan of terms that are similar to a text, which is normalised and not cut into tokens. */
  #fuzzy(field: string, text: string, edits: number): Plan {
    const type = patternField('fuzzy', field, this.#context);
    if (!type) return nonePlan(`unmapped fields [${field}]`);
    const { analyzer, prefixLength, maxExpansions, transpositions } = this.#options.match;
    const term =
      analyzer === null
        ? type.normalize(text)
        : namedAnalyzer(analyzer, 'simple_query_string', this.#context).normalize(text);
    return fuzzyPlan(type.name, term, { maxEdits: edits, prefixLength, maxExpansions, transpositions });
  }

  #prefix(field: string, text: string): Plan | null {
    const completion = this.#options.analyzeWildcard ? this.#context.searcher.mapping.field(field) : null;
    // 8.12 looks an analysed prefix up without asking what the field can do.
    if (completion?.capabilities.completes) return prefixPlan(completion.name, completion.normalize(text));
    const type = patternField('prefix', field, this.#context);
    if (!type) return nonePlan(`unmapped fields [${field}]`);
    if (!this.#options.analyzeWildcard || !type.searchAnalyzer || !isTextField(type))
      return prefixPlan(type.name, type.normalize(text));
    const positions = textPositions(type.searchAnalyzer, text, this.#context.searcher.settings.maxClauseCount);
    const plans = positions.flatMap(({ terms }, i) =>
      terms.map(
        (term): Plan =>
          i === positions.length - 1 ? prefixPlan(type.name, term) : { kind: 'term', field: type.name, term, boost: 1 },
      ),
    );
    return plans.length === 0 ? null : plans.length === 1 ? plans[0]! : boolPlan({ must: plans });
  }

  /**
   * Returns a dis_max of the plan on each field. `tieBreaker` 1, the default for words, adds up their scores; phrases
   * take the best score.
   */
  #onFields(fields: ReadonlyMap<string, number>, make: (field: string) => Plan | null, tieBreaker = 1): Plan | null {
    if (fields.size === 0) return nonePlan('unmapped fields []');
    const plans: Plan[] = [];
    const max = this.#context.searcher.settings.maxClauseCount;
    this.#place.count.clauses += fields.size;
    if (this.#place.count.clauses > max) throw errors.tooManyClauses(`maxClauseCount is set to ${max}`);
    for (const [field, boost] of fields) {
      const plan = this.#lenient(field, make);
      if (plan) plans.push(boostPlan(plan, boost));
    }
    if (plans.length <= 1) return plans[0] ?? null;
    return { kind: 'disMax', plans, tieBreaker, boost: 1 };
  }

  #lenient(field: string, make: (field: string) => Plan | null): Plan | null {
    try {
      return make(field);
    } catch (error) {
      if (!this.#options.match.lenient || !isApiError(error)) throw error;
      return lenientFailure(field, error);
    }
  }

  /** Whether a clause that matches nothing follows others that match nothing. */
  #addsNothing(plan: Plan): boolean {
    const addsNothing = plan.kind === 'none' && this.#top?.kind === 'none' && this.#negations % 2 === 0;
    if (addsNothing) this.#operator = null;
    return addsNothing;
  }

  /** Joins a clause to the plan read so far, by the operator before the clause or the default operator. */
  #add(plan: Plan | null): void {
    if (plan === null || this.#addsNothing(plan)) return;
    const clause =
      this.#negations % 2 === 1 ? boolPlan({ mustNot: [plan], should: [{ kind: 'all', boost: 1 }] }) : plan;
    if (this.#top === null) this.#top = clause;
    else {
      const occur = this.#operator ?? (this.#options.defaultOperator === 'AND' ? 'must' : 'should');
      if (this.#previous === occur) this.#joined.push(clause);
      else {
        this.#joined = [this.#top, clause];
        this.#top = boolPlan({ [occur]: this.#joined });
      }
      this.#previous = occur;
    }
    this.#operator = null;
    this.#negations = 0;
  }
}
