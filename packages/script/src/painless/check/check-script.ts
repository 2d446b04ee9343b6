import type { ScriptContext } from '../../contexts/context.js';
import type { Registry } from '../allow/registry.js';
import { syntaxError } from '../syntax-error.js';
import type { FunctionNode, Script } from '../tree.js';
import { type CellKinds, Checker, type DeclaredFunction } from './checker.js';
import { check, checkAs } from './expressions.js';
import { checkBody } from './statements.js';
import type { TypedFunction, TypedScript } from './typed.js';

function declareFunctions(nodes: readonly FunctionNode[], checker: Checker): void {
  nodes.forEach((node, place) => {
    const refusal = (name: string): string =>
      `invalid function definition: parameter type or return type [${name}] not found`;
    const key = `${node.name}/${node.parameters.length}`;
    if (checker.functions.has(key))
      throw syntaxError(node.at, `invalid function definition: found duplicate function [${key}].`);
    const parameters = node.parameters.map((parameter) => checker.type(parameter.type!, refusal));
    const result = checker.type(node.result, refusal);
    checker.functions.set(key, { name: node.name, place, result, parameters } satisfies DeclaredFunction);
  });
}

function checkFunction(node: FunctionNode, checker: Checker): TypedFunction {
  if (node.body.statements.length === 0) throw noStatements(node.at, node.name, node.parameters.length);
  const { result, parameters: types } = checker.functions.get(`${node.name}/${node.parameters.length}`)!;
  return checker.within(
    () => {
      const parameters = node.parameters.map(({ at, name }, i) => {
        const type = types[i]!;
        return { slot: checker.declare(at, name, type), type };
      });
      const missing = (): Error =>
        syntaxError(
          node.at,
          `invalid function definition: not all paths provide a return value for function [${node.name}] ` +
            `with [${node.parameters.length}] parameters`,
        );
      const body = checker.asFunction(result, () => checkBody(node.body, checker, missing));
      return { parameters, result, body };
    },
    false,
    null,
  );
}

/** Checks a parsed script against the types and the allow-list of its context. Throws a SyntaxFailure. */
export function checkScript(
  script: Script,
  context: ScriptContext,
  registry: Registry,
  kinds: CellKinds = () => null,
): TypedScript {
  const checker = new Checker(registry, context, { expression: check, converted: checkAs, body: checkBody }, kinds);
  declareFunctions(script.functions, checker);
  const functions = script.functions.map((node) => checkFunction(node, checker));
  if (script.statements.length === 0) throw noStatements(0, 'execute', context.parameterCount ?? 0);
  const main = checker.within(() => {
    const parameters = context.variables.map(({ name, type }) => ({
      slot: checker.declare(0, name, type, isHidden(name)),
      type,
    }));
    const block = { kind: 'block' as const, at: 0, statements: script.statements };
    const body = checker.asFunction(context.result, () => checkBody(block, checker, null));
    return { parameters, result: context.result, body };
  });
  const { statementStarts, uses, temps, cells } = checker;
  return { main, functions, statementStarts, uses, temps, cells };
}

function noStatements(at: number, name: string, parameters: number): Error {
  return syntaxError(
    at,
    `invalid function definition: found no statements for function [${name}] with [${parameters}] parameters`,
  );
}

/** Whether a variable is known to functions of the context only. */
function isHidden(name: string): boolean {
  return name.startsWith('#');
}
