import { errors } from '@shoal/errors';
import type { FilterFactory, Parameters } from '../component.js';
import type { Token } from '../token.js';
import { lowerCase } from '../unicode/case.js';
import { compileRegex } from '../user-regex.js';

function marker(parameters: Parameters): (token: Token) => boolean {
  const pattern = parameters.text('keywords_pattern', '');
  const keywords = parameters.list('keywords');
  if (pattern !== '') {
    if (keywords !== null)
      throw errors.illegalArgument('cannot specify both `keywords_pattern` and `keywords` or `keywords_path`');
    const regex = compileRegex(pattern, '');
    return (token) => regex.matches(token.term);
  }
  if (keywords === null)
    throw errors.illegalArgument(
      'keyword filter requires either `keywords`, `keywords_path`, or `keywords_pattern` to be configured',
    );
  const ignoresCase = parameters.boolean('ignore_case', false);
  const known = new Set(ignoresCase ? keywords.map(lowerCase) : keywords);
  return (token) => known.has(ignoresCase ? lowerCase(token.term) : token.term);
}

/** `keyword_marker`: marks tokens as keywords, which stemmers do not change. */
export const keywordMarker: FilterFactory = {
  needsSettings: true,
  create(name, parameters) {
    const isKeyword = marker(parameters);
    return {
      name,
      normalize: null,
      apply(stream) {
        for (const token of stream.tokens) if (isKeyword(token)) token.keyword = true;
        return stream;
      },
    };
  },
};
