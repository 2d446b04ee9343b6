import { regexesRun } from '../../limits/script-limits.js';
import { compilePattern } from '../../runtime/regex.js';
import { RegexSyntaxError } from '../../runtime/regex/regex-tree.js';
import { SyntaxFailure, syntaxError } from '../syntax-error.js';
import type { Expression } from '../tree.js';
import type { Typed } from './typed.js';

/** Compiles a regular expression of the script; refuses one that is malformed. */
export function checkRegex(node: Extract<Expression, { kind: 'regex' }>): Typed {
  if (!regexesRun())
    throw new SyntaxFailure(
      node.at,
      'illegal_state_exception',
      'Regexes are disabled. Set [script.painless.regex.enabled] to [true] in elasticsearch.yaml to allow them. ' +
        "Be careful though, regexes break out of Painless's protection against deep recursion and long loops.",
      null,
    );
  const unknown = [...node.flags].find((flag, i) => !'cilmsUux'.includes(flag) || node.flags.indexOf(flag) !== i);
  if (unknown !== undefined) throw syntaxError(node.at, `invalid regular expression flags [${node.flags}]`);
  try {
    const value = compilePattern(node.pattern, node.flags);
    return { kind: 'object', at: node.at, type: 'java.util.regex.Pattern', value };
  } catch (error) {
    if (!(error instanceof RegexSyntaxError)) throw error;
    throw malformed(node, error);
  }
}

function malformed({ at, pattern, flags }: Extract<Expression, { kind: 'regex' }>, error: RegexSyntaxError): Error {
  const index = error.index ?? pattern.length;
  const pointer = index < pattern.length ? `\n${' '.repeat(index)}^` : '';
  return new SyntaxFailure(
    at + 1 + index,
    'illegal_argument_exception',
    `invalid regular expression: could not compile regex constant [${pattern}] with flags [${flags}]`,
    'pattern_syntax_exception',
    `${error.message} near index ${index}\n${pattern}${pointer}`,
  );
}
