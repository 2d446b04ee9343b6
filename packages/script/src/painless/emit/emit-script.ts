import type { Registry } from '../allow/registry.js';
import type { TypedFunction, TypedScript } from '../check/typed.js';
import { type BuiltScript, build } from './build.js';
import { layOut } from './code.js';
import { Emitter } from './emitter.js';
import { emitDefault } from './expressions.js';
import { emitBlock } from './statements.js';

function emitFunction(emitter: Emitter, node: TypedFunction): { parameters: string; body: string } {
  const body = emitter.asFunction(node.result, false, () => emitBlock(emitter, node.body));
  const end = node.result === 'void' ? '' : `return ${emitDefault(node.result)};`;
  return { parameters: node.parameters.map(({ slot }) => `v${slot}`).join(','), body: body + end };
}

/** Writes a checked script as JavaScript and builds it. `name` appears in stack traces. */
export function emitScript(script: TypedScript, registry: Registry, name: string): BuiltScript {
  const emitter = new Emitter(registry, emitBlock);
  const functions = script.functions.map((node, place) => {
    const { parameters, body } = emitFunction(emitter, node);
    return `function f${place}(${parameters}){h.enter();try{${body}}finally{h.leave();}}`;
  });
  const main = emitFunction(emitter, script.main);
  const constants = emitter.constants.map((_value, place) => `c${place}=k[${place}]`);
  const head = constants.length === 0 ? '' : `const ${constants.join(',')};`;
  const text = `${head}${functions.join('')}return function(${main.parameters}){${main.body}};`;
  return build(layOut(text), emitter.constants, name);
}
