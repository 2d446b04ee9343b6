export type { AnalysisRegistry, Analyzer, AnalyzerStage, TokenList } from './analyzer.js';
