import type { FilterFactory } from '../component.js';
import { termFilter, type TokenFilter } from '../token.js';
import { lowerCase } from '../unicode/case.js';

/** Articles that French elides. */
export const FRENCH_ARTICLES = ['l', 'm', 't', 'qu', 'n', 's', 'j', 'd', 'c', 'jusqu', 'quoiqu', 'lorsqu', 'puisqu'];

/** A filter that removes articles before an apostrophe. */
export function elisionFilter(name: string, articles: readonly string[], ignoresCase: boolean): TokenFilter {
  const known = new Set(ignoresCase ? articles.map(lowerCase) : articles);
  const change = (term: string): string => {
    const at = term.search(/['\u2019]/);
    if (at < 0) return term;
    const article = term.slice(0, at);
    return known.has(ignoresCase ? lowerCase(article) : article) ? term.slice(at + 1) : term;
  };
  return termFilter(name, change, { normalizes: true });
}

/** `elision`: removes `articles` (French by default); `articles_case` true ignores case. */
export const elision: FilterFactory = {
  normalizes: true,
  create: (name, parameters) =>
    elisionFilter(
      name,
      parameters.list('articles') ?? FRENCH_ARTICLES,
      parameters.list('articles') === null || parameters.boolean('articles_case', false),
    ),
};
