import { isApiError, withoutStacks } from '@shoal/errors';
import type { FieldType, RangeBounds } from '@shoal/mapping';
import { namedAnalyzer } from '../full-text/match-options.js';
import { lenientFailure } from '../full-text/match-plan.js';
import { bestOf, type MultiMatch } from '../full-text/multi-match.js';
import { multiMatchPlan } from '../full-text/multi-match-plan.js';
import { resolveFields } from '../full-text/query-fields.js';
import { textPositions } from '../full-text/text-positions.js';
import { type Fuzziness, parseFuzziness } from '../parse/fuzziness.js';
import type { PlanContext } from '../parsed-query.js';
import type { Plan } from '../plan.js';
import { boostPlan, constantPlan, nonePlan } from '../plan-query.js';
import { boolPlan } from '../queries/bool.js';
import { existsPlan } from '../queries/exists.js';
import { fuzzyPlan } from '../queries/fuzzy.js';
import { patternField, rewriteMethod } from '../queries/pattern-field.js';
import { prefixPlan } from '../queries/prefix.js';
import { rangePlan } from '../queries/range.js';
import { checkRegexpLength, regexpPlan } from '../queries/regexp.js';
import { termPlan } from '../queries/term.js';
import { wildcardPlan } from '../queries/wildcard.js';
import { QuerySyntaxError } from './lexer.js';
import { type Clause, parseSyntax, type SyntaxNode } from './syntax.js';

/** Options by which the parts of a query_string become plans. */
export interface SyntaxOptions {
  readonly match: MultiMatch;
  readonly defaultOperator: 'OR' | 'AND';
  /** Boosts by resolved field, for parts that name no field. */
  readonly fields: ReadonlyMap<string, number>;
  /** The only default field, as given; `*` for all fields, null for several. */
  readonly defaultField: string | null;
  readonly quoteAnalyzer: string | null;
  readonly quoteFieldSuffix: string | null;
  readonly allowLeadingWildcard: boolean;
  readonly analyzeWildcard: boolean;
  readonly fuzziness: Fuzziness;
  readonly phraseSlop: number;
  readonly rewrite: string | null;
  readonly timeZone: string | null;
  readonly maxDeterminizedStates: number;
}

/**
 * Returns the plan of a query in the classic syntax; null when no part of its text has a token. Throws QuerySyntaxError
 * for text outside of the syntax.
 */
export function syntaxPlan(text: string, options: SyntaxOptions, context: PlanContext): Plan | null {
  const parsed = parseSyntax(text, context.searcher.settings.maxClauseCount);
  const plan = (): Plan | null => new Planner(options, context).plan(parsed);
  return options.match.options.lenient ? withoutStacks(plan) : plan();
}

type Fields = ReadonlyMap<string, number>;

/** Whether nothing of a field is searched by texts: fuzzy words and prefixes are looked for as on an unmapped one. */
const isWithoutTexts = (type: FieldType | null): boolean => type?.capabilities.refusesMatch === true;

class Planner {
  readonly #options: SyntaxOptions;
  readonly #context: PlanContext;

  constructor(options: SyntaxOptions, context: PlanContext) {
    this.#options = options;
    this.#context = context;
  }

  plan(node: SyntaxNode): Plan | null {
    switch (node.kind) {
      case 'clauses':
        return this.#clauses(node.clauses);
      case 'boost': {
        const inner = this.plan(node.node);
        return inner && boostPlan(inner, node.boost);
      }
      case 'text':
        return this.#text(node.field, node.text);
      case 'phrase':
        return this.#phrase(node.field, node.text, node.slop);
      case 'range':
        return this.#range(node);
      default:
        return this.#pattern(node);
    }
  }

  #clauses(clauses: readonly Clause[]): Plan | null {
    const occurs: { plan: Plan; occur: 'must' | 'should' | 'mustNot' }[] = [];
    for (const clause of clauses) {
      const last = occurs.at(-1);
      if (last && last.occur !== 'mustNot') {
        if (clause.conjunction === 'and') last.occur = 'must';
        if (clause.conjunction === 'or' && this.#options.defaultOperator === 'AND') last.occur = 'should';
      }
      for (const plan of this.#clausePlans(clause)) occurs.push({ plan, occur: this.#occurOf(clause) });
    }
    if (occurs.length === 0) return null;
    const of = (kind: string): Plan[] => occurs.filter(({ occur }) => occur === kind).map(({ plan }) => plan);
    return boolPlan({ must: of('must'), should: of('should'), mustNot: of('mustNot') });
  }

  /** Returns the plans of one clause. Consecutive words on one field become a clause each. */
  #clausePlans({ node }: Clause): readonly Plan[] {
    const plan = this.plan(node);
    if (plan === null) return [];
    if (
      node.kind !== 'text' ||
      node.words === 1 ||
      plan.kind !== 'bool' ||
      plan.boost !== 1 ||
      plan.minimumShouldMatch > 1
    )
      return [plan];
    const parts = [...plan.must, ...plan.should];
    return plan.filter.length + plan.mustNot.length === 0 && parts.every(({ kind }) => kind === 'term')
      ? parts
      : [plan];
  }

  /** After OR under the default operator AND, `+` requires nothing (Lucene's QueryParserBase.addClause). */
  #occurOf({ conjunction, modifier }: Clause): 'must' | 'should' | 'mustNot' {
    if (modifier === 'prohibited') return 'mustNot';
    const isRequired =
      this.#options.defaultOperator === 'OR' ? modifier === 'required' || conjunction === 'and' : conjunction !== 'or';
    return isRequired ? 'must' : 'should';
  }

  #fields(field: string | null, isQuoted: boolean): Fields {
    const suffix = isQuoted ? this.#options.quoteFieldSuffix : null;
    if (field !== null) return resolveFields(new Map([[field, 1]]), this.#context, suffix);
    return suffix === null ? this.#options.fields : resolveFields(this.#options.fields, this.#context, suffix);
  }

  #text(field: string | null, text: string): Plan | null {
    if (field === '_exists_') return this.#exists(text);
    const comparison = field === null ? null : /^(>=?|<=?)([^]+)$/.exec(text);
    if (comparison) return this.#comparison(field, comparison[1]!, comparison[2]!);
    const fields = this.#fields(field, false);
    if (fields.size === 0) return nonePlan(`unmapped fields [${field}]`);
    const options = { ...this.#options.match.options, operator: this.#options.defaultOperator };
    return multiMatchPlan(text, fields, { ...this.#options.match, options }, this.#context);
  }

  #phrase(field: string | null, text: string, slopText: string | null): Plan | null {
    if (field === '_exists_') return this.#exists(text);
    const fields = this.#fields(field, true);
    if (fields.size === 0) return nonePlan(`unmapped fields [${field}]`);
    const { match, quoteAnalyzer, phraseSlop } = this.#options;
    const given = slopText === null ? Number.NaN : Number.parseFloat(slopText);
    const slop = Number.isNaN(given) ? phraseSlop : Math.trunc(given);
    const type = match.type === 'phrase_prefix' ? 'phrase_prefix' : 'phrase';
    const options = { ...match.options, slop, analyzer: quoteAnalyzer ?? match.options.analyzer };
    return multiMatchPlan(text, fields, { ...match, type, options }, this.#context);
  }

  #comparison(field: string | null, operator: string, text: string): Plan | null {
    const isLow = operator.startsWith('>');
    const isInclusive = operator.endsWith('=');
    return this.#range({
      field,
      low: isLow ? text : null,
      high: isLow ? null : text,
      includeLow: isInclusive,
      includeHigh: isInclusive,
    });
  }

  #range(range: {
    field: string | null;
    low: string | null;
    high: string | null;
    includeLow: boolean;
    includeHigh: boolean;
  }): Plan | null {
    return this.#each(range.field, String(range.field), (name) => {
      const analyzer = this.#context.searcher.mapping.field(name)?.searchAnalyzer;
      const bound = (text: string): string => (analyzer ? analyzer.normalize(text) : text);
      const bounds: RangeBounds = {
        ...(range.low === null ? {} : { [range.includeLow ? 'gte' : 'gt']: bound(range.low) }),
        ...(range.high === null ? {} : { [range.includeHigh ? 'lte' : 'lt']: bound(range.high) }),
        ...(this.#options.timeZone === null ? {} : { timeZone: this.#options.timeZone }),
      };
      return rangePlan(name, bounds, this.#context);
    });
  }

  #exists(field: string): Plan {
    const plan = constantPlan(existsPlan(field, this.#context));
    return plan.kind === 'none' ? nonePlan(`unmapped field:${field}`) : plan;
  }

  #pattern(node: Extract<SyntaxNode, { kind: 'fuzzy' | 'prefix' | 'wildcard' | 'regexp' }>): Plan | null {
    const { field, text } = node;
    if (node.kind === 'wildcard' && text === '*') {
      const only = field ?? this.#options.defaultField;
      if (only === '*') return { kind: 'all', boost: 1 };
      if (only !== null) return this.#exists(only === '_exists_' ? text : only);
      return this.#each(field, text, (name) => this.#exists(name));
    }
    if (node.kind === 'wildcard') this.#checkLeading(text);
    if (node.kind === 'regexp') checkRegexpLength(text, this.#context);
    return this.#each(field, node.kind === 'fuzzy' ? String(field) : text, (name) => this.#patternOn(name, node));
  }

  #checkLeading(text: string): void {
    if (this.#options.allowLeadingWildcard || !/^[*?]/.test(text)) return;
    throw new QuerySyntaxError("'*' or '?' not allowed as first character in WildcardQuery");
  }

  #patternOn(name: string, node: Extract<SyntaxNode, { kind: 'fuzzy' | 'prefix' | 'wildcard' | 'regexp' }>): Plan {
    const context = this.#context;
    if (node.kind === 'fuzzy' && context.searcher.mapping.field(name) === null)
      return termPlan(name, node.text, context);
    // 8.12 compares patterns with its encoding of a key and a value, which begins with the key: they match nothing.
    if (node.kind === 'wildcard' && context.searcher.mapping.field(name)?.keyOf !== undefined)
      return nonePlan(`pattern on the key [${name}] of a flattened field`);
    if ((node.kind === 'fuzzy' || node.kind === 'prefix') && isWithoutTexts(context.searcher.mapping.field(name)))
      return nonePlan(`unmapped fields [${name}]`);
    const rewrite = rewriteMethod(this.#options.rewrite, 'constant_score_blended');
    const completion = node.kind === 'regexp' ? this.#forcedCompletion(name) : null;
    if (completion !== null)
      return regexpPlan(completion.name, `(${node.text})\u001f.*`, this.#options.maxDeterminizedStates, rewrite);
    const type = patternField(node.kind, name, context);
    if (type === null) return nonePlan(`unmapped fields [${name}]`);
    if (node.kind === 'regexp') return regexpPlan(type.name, node.text, this.#options.maxDeterminizedStates, rewrite);
    if (node.kind === 'wildcard') return wildcardPlan(type, node.text, false, rewrite);
    if (node.kind === 'fuzzy') return this.#fuzzy(type.name, this.#normalize(name, node.text), node.edits);
    return this.#prefix(type.name, node.text, rewrite);
  }

  /** 8.12 looks a regular expression up without asking what the field can do when the query names an analyzer. */
  #forcedCompletion(name: string): FieldType | null {
    if (this.#options.match.options.analyzer === null) return null;
    const type = this.#context.searcher.mapping.field(name);
    return type?.capabilities.completes ? type : null;
  }

  #normalize(name: string, text: string): string {
    const forced = this.#options.match.options.analyzer;
    if (forced !== null) return namedAnalyzer(forced, 'query_string', this.#context).normalize(text);
    return this.#context.searcher.mapping.field(name)!.normalize(text);
  }

  /** Returns the plan of a prefix. With `analyze_wildcard` the text is analysed, and its last token is the prefix. */
  #prefix(name: string, text: string, rewrite: string): Plan {
    const analyzer = this.#context.searcher.mapping.field(name)?.searchAnalyzer;
    if (!this.#options.analyzeWildcard || !analyzer)
      return prefixPlan(name, this.#normalize(name, text), false, rewrite);
    const positions = textPositions(analyzer, text, this.#context.searcher.settings.maxClauseCount);
    const plans = positions.flatMap(({ terms }, i) =>
      terms.map(
        (term): Plan =>
          i === positions.length - 1
            ? prefixPlan(name, term, false, rewrite)
            : { kind: 'term', field: name, term, boost: 1 },
      ),
    );
    if (plans.length <= 1) return plans[0] ?? nonePlan('Matching no documents because no terms present');
    return boolPlan(this.#options.defaultOperator === 'AND' ? { must: plans } : { should: plans });
  }

  #fuzzy(name: string, term: string, edits: string): Plan {
    const maxEdits = (edits === '' ? this.#options.fuzziness : parseFuzziness(edits))(term);
    if (maxEdits === 0) return termPlan(name, term, this.#context);
    const { prefixLength, maxExpansions, transpositions } = this.#options.match.options;
    return fuzzyPlan(name, term, { maxEdits, prefixLength, maxExpansions, transpositions });
  }

  /**
   * Returns the best of the plans for each field that a part names. If the query is lenient, a field that fails matches
   * nothing.
   */
  #each(field: string | null, unmapped: string, make: (name: string) => Plan): Plan | null {
    const fields = this.#fields(field, false);
    if (fields.size === 0) return nonePlan(`unmapped fields [${unmapped}]`);
    const plans = [...fields].map(([name, boost]) => boostPlan(this.#lenient(name, make), boost));
    return bestOf(plans, this.#options.match.tieBreaker);
  }

  #lenient(name: string, make: (name: string) => Plan): Plan {
    try {
      return make(name);
    } catch (error) {
      if (!this.#options.match.options.lenient || !isApiError(error)) throw error;
      return lenientFailure(name, error);
    }
  }
}
