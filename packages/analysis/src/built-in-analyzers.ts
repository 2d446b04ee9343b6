import { errors } from '@shoal/errors';
import type { Analyzer } from './analyzer.js';
import { type BuildContext, NO_PARAMETERS, type Parameters } from './component.js';
import { lowercase } from './filters/lowercase.js';
import { stopFilter, stopWordsOf } from './filters/stop.js';
import { pipelineAnalyzer, type AnalyzerParts } from './pipeline-analyzer.js';
import { standardAnalyzer } from './standard-analyzer.js';
import { keywordTokenizer } from './tokenizers/keyword.js';
import { lowercase as lowercaseTokenizer } from './tokenizers/lowercase.js';
import { standardTokenizer } from './tokenizers/standard.js';
import { whitespace } from './tokenizers/whitespace.js';

/** A built analyzer and, where it is a chain of parts, those. */
export interface BuiltAnalyzer {
  readonly analyzer: Analyzer;
  readonly parts: AnalyzerParts | null;
}

/** Makes an analyzer of one type from its parameters. */
export type AnalyzerFactory = (name: string, parameters: Parameters, context: BuildContext) => BuiltAnalyzer;

/** An analyzer from parts. */
export function fromParts(name: string, parts: AnalyzerParts, gap?: number): BuiltAnalyzer {
  return { analyzer: pipelineAnalyzer(name, parts, gap), parts };
}

const lower = lowercase.create('lowercase', NO_PARAMETERS, {} as BuildContext);

const standard: AnalyzerFactory = (name, parameters) => {
  const maxTokenLength = parameters.integer('max_token_length', 255);
  const words = stopWordsOf(parameters, []);
  if (words.size === 0) return { analyzer: standardAnalyzer(name, maxTokenLength), parts: null };
  const tokenizer = standardTokenizer('standard', maxTokenLength);
  return fromParts(name, { charFilters: [], tokenizer, filters: [lower, stopFilter('stop', words)] });
};

const simple: AnalyzerFactory = (name, _parameters, context) =>
  fromParts(name, { charFilters: [], tokenizer: lowercaseTokenizer.create('lowercase', NO_PARAMETERS, context), filters: [] });

const stop: AnalyzerFactory = (name, parameters, context) => {
  const filters = [stopFilter('stop', stopWordsOf(parameters, ['_english_']))];
  return fromParts(name, { charFilters: [], tokenizer: lowercaseTokenizer.create('lowercase', NO_PARAMETERS, context), filters });
};

const whitespaceAnalyzer: AnalyzerFactory = (name, _parameters, context) =>
  fromParts(name, { charFilters: [], tokenizer: whitespace.create('whitespace', NO_PARAMETERS, context), filters: [] });

const keyword: AnalyzerFactory = (name) => fromParts(name, { charFilters: [], tokenizer: keywordTokenizer('keyword'), filters: [] });

/** Analyzers by type and built-in name; `custom` is the registry's. */
export const builtInAnalyzers: ReadonlyMap<string, AnalyzerFactory> = new Map(
  Object.entries({ keyword, simple, standard, stop, whitespace: whitespaceAnalyzer }),
);

/** Refuses what no analyzer type is called. */
export function unknownAnalyzerType(type: string, name: string): Error {
  return errors.illegalArgument(`Unknown analyzer type [${type}] for [${name}]`);
}
