import { compilePattern } from '../../runtime/regex.js';
import { syntaxError } from '../syntax-error.js';
import type { Expression } from '../tree.js';
import type { Typed } from './typed.js';

/** Compiles a regular expression of the script; refuses one that is malformed or that cannot run in linear time. */
export function checkRegex(node: Extract<Expression, { kind: 'regex' }>): Typed {
  const unknown = [...node.flags].find((flag, i) => !'cilmsUux'.includes(flag) || node.flags.indexOf(flag) !== i);
  if (unknown !== undefined) throw syntaxError(node.at, `invalid regular expression flags [${node.flags}]`);
  try {
    const value = compilePattern(node.pattern, node.flags);
    return { kind: 'object', at: node.at, type: 'java.util.regex.Pattern', value };
  } catch (error) {
    const told = error instanceof Error ? error.message : String(error);
    throw syntaxError(node.at, `Error compiling regex: ${told}`);
  }
}
