import { errors } from '@shoal/errors';
import { isPlainObject } from '@shoal/json';
import type { Mapping } from '@shoal/mapping';
import { parseContext } from '../parse/parse-context.js';
import { parseQuery } from '../parse/parse-query.js';
import { kindOf } from '../plans/catalogue.js';
import type { Plan } from '../plan.js';
import { planWithin, shardError } from '../plan-query.js';
import type { Searcher } from '../searcher.js';
import { ANY_DOCUMENT, type RequiredTerms, type TermRequirements } from './required-terms.js';

/** Queries over related documents: a document alone has none. */
const JOINING: ReadonlySet<string> = new Set(['has_child', 'has_parent']);

/**
 * Returns the terms of which a document must have one to match a query that is to be stored, or ANY_DOCUMENT. The
 * searcher has the mapping and no documents. Throws for what is no query, and for one that names a field that is not
 * mapped: nobody would notice that it never matches.
 */
export function readStoredQuery(query: unknown, searcher: Searcher): readonly string[] {
  const joining = joiningQuery(query);
  if (joining !== null) throw errors.illegalArgument(`the [${joining}] query is unsupported inside a percolator query`);
  const { mapping } = searcher;
  const own = { ...searcher, mapping: mappedOnly(searcher) };
  const context = { searcher: own, now: () => 0, nestedPath: null, innerHits: [] };
  const plan = planWithin(parseQuery(query, parseContext()), context);
  return requiredTerms(plan, mapping) ?? [ANY_DOCUMENT];
}

/**
 * Returns the terms that a plan requires of documents: the conjunction takes the clause with the fewest, the
 * disjunction takes all of them, as Lucene's QueryAnalyzer of percolators does.
 */
function requiredTerms(plan: Plan, mapping: Mapping): RequiredTerms {
  const requirements: TermRequirements = {
    mapping,
    of: (inner) => kindOf(inner).requiredTerms?.(inner, requirements) ?? null,
  };
  return requirements.of(plan);
}

function joiningQuery(value: unknown): string | null {
  if (Array.isArray(value)) return value.map(joiningQuery).find((found) => found !== null) ?? null;
  if (!isPlainObject(value)) return null;
  for (const [key, member] of Object.entries(value)) {
    const found = JOINING.has(key) && isPlainObject(member) ? key : joiningQuery(member);
    if (found !== null) return found;
  }
  return null;
}

/** The mapping of a searcher, which throws for a field that it does not have. */
function mappedOnly(searcher: Searcher): Mapping {
  const { mapping } = searcher;
  return {
    ...mapping,
    field(path) {
      const field = mapping.field(path);
      if (field !== null || path.startsWith('_') || mapping.objects.some((object) => object.path === path))
        return field;
      throw shardError(searcher, `No field mapping can be found for the field with name [${path}]`);
    },
  };
}
