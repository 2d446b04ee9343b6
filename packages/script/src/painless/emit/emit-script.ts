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

/**
 * Writes a function that calls another in a loop. Both are of one script, so that V8 makes one of them; a call from a
 * loop that all scripts share costs as much as a small script.
 */
function emitRuns(emitter: Emitter, name: string, { parameters }: TypedFunction): string {
  const [run, move, put, count] = [emitter.fresh(), emitter.fresh(), emitter.fresh(), emitter.fresh()];
  const names = parameters.map(({ slot }) => `v${slot}`);
  const third = names[2] === undefined ? '' : `${names[2]}=`;
  const body = `${third}${move}(${run});${put}(${run},${name}(${names.join(',')}));`;
  const all = [move, put, count, ...names].join(',');
  return `function(${all}){for(let ${run}=0;${run}<${count};${run}=${run}+1){${body}}}`;
}

/** Writes a checked script as JavaScript and builds it. `source` appears in stack traces. */
export function emitScript(script: TypedScript, registry: Registry, source: string): BuiltScript {
  const emitter = new Emitter(registry, emitBlock);
  const functions = script.functions.map((node, place) => {
    const { parameters, body } = emitFunction(emitter, node);
    return `function f${place}(${parameters}){h.enter();try{${body}}finally{h.leave();}}`;
  });
  const main = emitFunction(emitter, script.main);
  const constants = emitter.constants.map((_value, place) => `c${place}=k[${place}]`);
  const head = constants.length === 0 ? '' : `const ${constants.join(',')};`;
  const name = `f${functions.length}`;
  const text =
    `${head}${functions.join('')}function ${name}(${main.parameters}){${main.body}}` +
    `return(h.forms(${name},${emitRuns(emitter, name, script.main)}));`;
  return build(layOut(text), emitter.constants, source);
}
