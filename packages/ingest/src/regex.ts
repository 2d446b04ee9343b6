import { errors } from '@shoal/errors';
import { compileTextRegex, stepLimit, type TextMatcher } from '@shoal/script';
import type { ConfigReader } from './config-reader.js';

/** A compiled regular expression. */
export interface OptionRegex {
  matcher(text: string): TextMatcher;
}

/**
 * Compiles a regular expression of an option. Its matching takes time linear in the text (RE2); what RE2 does not have,
 * such as look-around and back references, is matched within a bound on its steps.
 */
export function compileRegex(config: ConfigReader, name: string, pattern: string, refusal = ''): OptionRegex {
  try {
    const regex = compileTextRegex(pattern);
    const limit = (): ((steps: number) => void) => stepLimit(pattern, (reason) => errors.illegalArgument(reason));
    return { matcher: (text) => regex.matcher(text, limit()) };
  } catch (error) {
    throw config.error(name, `${refusal}${error instanceof Error ? error.message : String(error)}`);
  }
}
