import { parseTimeValue } from '@shoal/values';

/** How many scripts may be compiled in a time; no more than `count` at once. */
export interface CompilationRate {
  readonly count: number;
  readonly ms: number;
  /** As the setting has it: `150/5m`. */
  readonly text: string;
}

/** Parses a checked value of `script.max_compilations_rate`. */
export function parseCompilationRate(text: string): CompilationRate {
  const slash = text.indexOf('/');
  return { count: Number(text.slice(0, slash)), ms: parseTimeValue(text.slice(slash + 1), 'rate'), text };
}
