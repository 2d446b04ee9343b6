import { ScriptObject } from './values.js';

/** Class of tokens in Java. */
export const TOKEN_CLASS = 'org.elasticsearch.analysis.common.AnalysisPredicateScript.Token';

/** `token`: a token between two filters of an analyzer. One object serves all tokens of a text. */
export class AnalyzedToken extends ScriptObject {
  readonly javaClass = TOKEN_CLASS;
  term = '';
  position = 0;
  positionIncrement = 0;
  positionLength = 1;
  startOffset = 0;
  endOffset = 0;
  type = '';
  keyword = false;
}
