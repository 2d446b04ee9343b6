import { type AnalyzedToken, TOKEN_CLASS } from '../../runtime/analyzed-token.js';
import type { AllowTable } from './class-row.js';

/** What scripts of token filters see. */
export const ANALYZED_TOKENS: AllowTable = [
  {
    name: TOKEN_CLASS,
    methods: {
      'CharSequence getTerm()': ({ term }: AnalyzedToken) => term,
      'int getPosition()': ({ position }: AnalyzedToken) => position,
      'int getPositionIncrement()': ({ positionIncrement }: AnalyzedToken) => positionIncrement,
      'int getPositionLength()': ({ positionLength }: AnalyzedToken) => positionLength,
      'int getStartOffset()': ({ startOffset }: AnalyzedToken) => startOffset,
      'int getEndOffset()': ({ endOffset }: AnalyzedToken) => endOffset,
      'String getType()': ({ type }: AnalyzedToken) => type,
      'boolean isKeyword()': ({ keyword }: AnalyzedToken) => keyword,
    },
  },
];
