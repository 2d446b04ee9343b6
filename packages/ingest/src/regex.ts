import { RE2JS } from 're2js';
import type { ConfigReader } from './config-reader.js';

/**
 * Compiles a regular expression of an option. Its matching takes time linear in the text (RE2); look-around, back
 * references and possessive forms are refused.
 */
export function compileRegex(config: ConfigReader, name: string, pattern: string, refusal = ''): RE2JS {
  try {
    return RE2JS.compile(pattern);
  } catch (error) {
    throw config.error(name, `${refusal}${error instanceof Error ? error.message : String(error)}`);
  }
}
