import { withCapabilities } from '../field-capabilities.js';
import { meta } from '../parameter.js';
import type { FieldTypeDefinition } from './definition.js';
import {
  analyzerParameter,
  searchAnalyzerParameter,
  searchQuoteAnalyzerParameter,
  textAnalyzers,
  textField,
} from './text.js';

/** `match_only_text`: text without norms; all matches have the same score. Positions are indexed for phrases. */
export const matchOnlyText: FieldTypeDefinition = {
  name: 'match_only_text',
  capabilities: withCapabilities({ holdsText: true, isHighlighted: true, hasPatterns: true, hasExpensiveRanges: true }),
  parameters: [analyzerParameter, searchAnalyzerParameter, searchQuoteAnalyzerParameter, meta],
  create(config) {
    const layout = {
      name: config.name,
      terms: { freqs: true, positions: true, norms: false },
      column: null,
      points: false,
    } as const;
    const analyzers = textAnalyzers(config);
    return textField(config, { layout, analyzers, gap: analyzers.index.positionIncrementGap, isAggregatable: false });
  },
};
