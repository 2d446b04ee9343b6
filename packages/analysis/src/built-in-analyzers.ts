import { errors } from '@shoal/errors';
import type { Analyzer } from './analyzer.js';
import { type BuildContext, NO_PARAMETERS, type Parameters } from './component.js';
import { fingerprintFilter } from './filters/fingerprint.js';
import { lowercase } from './filters/lowercase.js';
import { stopFilter, stopWordsOf } from './filters/stop.js';
import { languageAnalyzers } from './languages/language-analyzers.js';
import { snowballAnalyzer } from './languages/snowball-analyzer.js';
import { type AnalyzerParts, pipelineAnalyzer } from './pipeline-analyzer.js';
import { termFilter } from './token.js';
import { standardAnalyzer } from './standard-analyzer.js';
import { keywordTokenizer } from './tokenizers/keyword.js';
import { lowercase as lowercaseTokenizer } from './tokenizers/lowercase.js';
import { patternTokenizer } from './tokenizers/pattern.js';
import { standardTokenizer } from './tokenizers/standard.js';
import { whitespace } from './tokenizers/whitespace.js';
import { foldToAscii } from './unicode/ascii-folding.js';
import { compileRegex } from './user-regex.js';

/** An analyzer and the parts of which it is built; the parts are null if it has none. */
export interface BuiltAnalyzer {
  readonly analyzer: Analyzer;
  readonly parts: AnalyzerParts | null;
}

/** Builds an analyzer of one type from its parameters. */
export type AnalyzerFactory = (name: string, parameters: Parameters, context: BuildContext) => BuiltAnalyzer;

/** Builds an analyzer from parts. */
export function fromParts(name: string, parts: AnalyzerParts, gap?: number): BuiltAnalyzer {
  return { analyzer: pipelineAnalyzer(name, parts, gap), parts };
}

const lower = lowercase.create('lowercase', NO_PARAMETERS, {} as BuildContext);

const standard: AnalyzerFactory = (name, parameters) => {
  const maxTokenLength = parameters.integer('max_token_length', 255);
  if (maxTokenLength < 1) throw errors.illegalArgument('maxTokenLength must be greater than zero');
  const words = stopWordsOf(parameters, []);
  if (words.size === 0) return { analyzer: standardAnalyzer(name, maxTokenLength), parts: null };
  const tokenizer = standardTokenizer('standard', maxTokenLength);
  return fromParts(name, { charFilters: [], tokenizer, filters: [lower, stopFilter('stop', words)] });
};

const simple: AnalyzerFactory = (name, _parameters, context) =>
  fromParts(name, {
    charFilters: [],
    tokenizer: lowercaseTokenizer.create('lowercase', NO_PARAMETERS, context),
    filters: [],
  });

const stop: AnalyzerFactory = (name, parameters, context) => {
  const filters = [stopFilter('stop', stopWordsOf(parameters, ['_english_']))];
  return fromParts(name, {
    charFilters: [],
    tokenizer: lowercaseTokenizer.create('lowercase', NO_PARAMETERS, context),
    filters,
  });
};

const whitespaceAnalyzer: AnalyzerFactory = (name, _parameters, context) =>
  fromParts(name, { charFilters: [], tokenizer: whitespace.create('whitespace', NO_PARAMETERS, context), filters: [] });

const keyword: AnalyzerFactory = (name) =>
  fromParts(name, { charFilters: [], tokenizer: keywordTokenizer('keyword'), filters: [] });

const pattern: AnalyzerFactory = (name, parameters) => {
  const tokenizer = patternTokenizer(
    'pattern',
    compileRegex(parameters.text('pattern', '\\W+'), parameters.text('flags', '')),
    -1,
  );
  const words = stopWordsOf(parameters, []);
  const filters = [
    ...(parameters.boolean('lowercase', true) ? [lower] : []),
    ...(words.size > 0 ? [stopFilter('stop', words)] : []),
  ];
  return fromParts(name, { charFilters: [], tokenizer, filters });
};

const fingerprint: AnalyzerFactory = (name, parameters) => {
  const words = stopWordsOf(parameters, []);
  const last = fingerprintFilter(
    'fingerprint',
    parameters.text('separator', ' '),
    parameters.integer('max_output_size', 255),
  );
  const folding = termFilter('asciifolding', foldToAscii, { normalizes: true });
  const filters = [lower, folding, ...(words.size > 0 ? [stopFilter('stop', words)] : []), last];
  return fromParts(name, { charFilters: [], tokenizer: standardTokenizer('standard', 255), filters });
};

function languageAnalyzer(parts: (parameters: Parameters, context: BuildContext) => AnalyzerParts): AnalyzerFactory {
  return (name, parameters, context) => fromParts(name, parts(parameters, context));
}

/** Analyzers by `type`, which is also their built-in name. The registry builds the type `custom`. */
export const builtInAnalyzers: ReadonlyMap<string, AnalyzerFactory> = new Map<string, AnalyzerFactory>([
  ['fingerprint', fingerprint],
  ['keyword', keyword],
  ['pattern', pattern],
  ['simple', simple],
  ['snowball', languageAnalyzer(snowballAnalyzer)],
  ['standard', standard],
  ['stop', stop],
  ['whitespace', whitespaceAnalyzer],
  ...[...languageAnalyzers].map(([name, parts]): [string, AnalyzerFactory] => [name, languageAnalyzer(parts)]),
]);

/** Error for an unknown analyzer type. */
export function unknownAnalyzerType(type: string, name: string): Error {
  return errors.illegalArgument(`Unknown analyzer type [${type}] for [${name}]`);
}
