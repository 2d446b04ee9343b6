import { syntaxError } from '../syntax-error.js';
import type { Argument, Block, Expression, Statement } from '../tree.js';
import type { Type } from '../types.js';
import type { Checker } from './checker.js';
import type { Typed } from './typed.js';

type LambdaNode = Extract<Argument, { kind: 'lambda' }>;

/** A lambda's body as statements: an expression is what it returns, or what it does where nothing is returned. */
function bodyOf(body: Block | Expression, result: Type): Block {
  if (body.kind === 'block') return body;
  const only: Statement =
    result === 'void' ? { kind: 'expression', at: body.at, value: body } : { kind: 'return', at: body.at, value: body };
  return { kind: 'block', at: body.at, statements: [only] };
}

/**
 * Checks a lambda as an implementation of a functional interface. As an argument of a method that is found only when
 * the script runs, its parameters and its result are `def`.
 */
export function checkLambda(node: LambdaNode, wanted: Type, checker: Checker): Typed {
  const method = wanted === 'def' ? null : checker.registry.functional(wanted);
  if (wanted !== 'def' && !method)
    throw syntaxError(node.at, `Cannot pass lambda to [${wanted}], not a functional interface`);
  if (method && method.parameters.length !== node.parameters.length)
    throw syntaxError(
      node.at,
      `Incorrect number of parameters for [${method.name}] in [${wanted}], found [${node.parameters.length}], ` +
        `expected [${method.parameters.length}]`,
    );
  const result = method?.result ?? 'def';
  checker.noteStatement(node.at);
  return checker.within(() => {
    const parameters = node.parameters.map(({ type, name, at }, i) => {
      const own = type === null ? null : checker.type(type, (written) => `invalid lambda parameter type [${written}]`);
      const declared = own ?? method?.parameters[i] ?? 'def';
      return { slot: checker.declare(at, name, declared), type: declared };
    });
    const body = checker.asFunction(
      result,
      () =>
        checker.checkBody(bodyOf(node.body, result), () =>
          syntaxError(node.at, 'not all paths return a value for lambda'),
        ),
      true,
    );
    return { kind: 'lambda', at: node.at, type: wanted, parameters, result, body };
  }, true);
}
