export type { AnalysisRegistry, Analyzer, AnalyzerStage, CustomDefinition, TokenList } from './analyzer.js';
export { analyzeParts } from './analyze-parts.js';
export { buildAnalysisRegistry, registryOptions, type RegistryOptions } from './registry.js';
export { stripHtml } from './char-filters/html-strip.js';
export { newTokenList } from './token-list.js';
export { compileRegex, type UserRegex } from './user-regex.js';
export { prefixAnalyzer, shingleAnalyzer } from './derived-analyzers.js';
