import { replaceAllAsJava } from '../java-replacement.js';
import { compileRegex } from '../regex.js';
import { stringProcessor } from '../string-processor.js';

/** Replaces what a regular expression matches; `$1` is its first group. */
export const gsub = stringProcessor('gsub', (config) => {
  const pattern = compileRegex(config, 'pattern', config.string('pattern'), 'Invalid regex pattern. ');
  const replacement = config.string('replacement');
  return (text, site) => replaceAllAsJava(pattern, text, replacement, site);
});
