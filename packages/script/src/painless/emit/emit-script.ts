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
 * Writes the ways to call the main function: once, and in a loop. All are of one script, so that V8 makes one function
 * of them; a call from a loop that all scripts share costs as much as a small script. Parameters are read once before.
 */
function emitCalls(emitter: Emitter, main: string, { parameters }: TypedFunction): string {
  const [run, move, put, count] = [emitter.fresh(), emitter.fresh(), emitter.fresh(), emitter.fresh()];
  const frame = parameters.map(({ slot }) => `v${slot}`);
  const before = [...emitter.parameters].map(([key, name]) => `const ${name}=h.mapGet(v0,${key});`).join('');
  const call = `${main}(${[...frame, ...emitter.parameters.values()].join(',')})`;
  const once = before === '' ? main : `function(${frame.join(',')}){${before}return(${call});}`;
  const third = frame[2] === undefined ? '' : `${frame[2]}=`;
  const body = `${third}${move}(${run});${put}(${run},${call});`;
  const all = [move, put, count, ...frame].join(',');
  return `${once},function(${all}){${before}for(let ${run}=0;${run}<${count};${run}=${run}+1){${body}}}`;
}

/** Whether a script has parameters that no run of it can change, and results as those of a window. */
const readsAhead = ({ parameters, result }: TypedFunction): boolean =>
  parameters[0]?.type === 'java.util.Map' && (result === 'boolean' || result === 'double');

/** Writes a checked script as JavaScript and builds it. `source` appears in stack traces. */
export function emitScript(script: TypedScript, registry: Registry, source: string): BuiltScript {
  return written(script, registry, source, readsAhead(script.main)) ?? written(script, registry, source, false)!;
}

/** Null for a script whose parameters cannot be read ahead, as it sets their map. */
function written(script: TypedScript, registry: Registry, source: string, isAhead: boolean): BuiltScript | null {
  const emitter = new Emitter(registry, emitBlock);
  const functions = script.functions.map((node, place) => {
    const { parameters, body } = emitFunction(emitter, node);
    return `function f${place}(${parameters}){h.enter();try{${body}}finally{h.leave();}}`;
  });
  emitter.setsParameters = false;
  if (isAhead) emitter.readParametersBefore();
  const main = emitFunction(emitter, script.main);
  if (isAhead && emitter.setsParameters) return null;
  const name = `f${functions.length}`;
  const parameters = [main.parameters, ...emitter.parameters.values()].filter((part) => part !== '').join(',');
  const calls = emitCalls(emitter, name, script.main);
  const constants = emitter.constants.map((_value, place) => `c${place}=k[${place}]`);
  const head = constants.length === 0 ? '' : `const ${constants.join(',')};`;
  const text = `${head}${functions.join('')}function ${name}(${parameters}){${main.body}}return(h.forms(${calls}));`;
  return build(layOut(text), emitter.constants, source);
}
