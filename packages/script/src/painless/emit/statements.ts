import type { TypedBlock, TypedCatch, TypedStatement } from '../check/typed.js';
import { isPrimitive } from '../types.js';
import { emitUnbox } from './casts.js';
import { mark } from './code.js';
import type { Emitter } from './emitter.js';
import { emitAddition } from './additions.js';
import { emit, emitDefault, emitResult } from './expressions.js';

type Of<K extends TypedStatement['kind']> = Extract<TypedStatement, { kind: K }>;

/** Writes the statements of a block, without braces. */
export function emitBlock(emitter: Emitter, block: TypedBlock): string {
  return block.statements.map((statement) => emitStatement(emitter, statement)).join('');
}

const braced = (emitter: Emitter, block: TypedBlock): string => `{${emitBlock(emitter, block)}}`;

function emitStatement(emitter: Emitter, node: TypedStatement): string {
  switch (node.kind) {
    case 'block':
      return braced(emitter, node);
    case 'if': {
      const other = node.whenFalse ? `else${braced(emitter, node.whenFalse)}` : '';
      return `if(${emit(emitter, node.test)})${braced(emitter, node.whenTrue)}${other}`;
    }
    case 'loop':
      return emitLoop(emitter, node);
    case 'each':
      return emitEach(emitter, node);
    case 'declare':
      return `let v${node.slot}=${node.value ? emit(emitter, node.value) : emitDefault(node.type)};`;
    case 'declarations':
      return node.statements.map((one) => emitStatement(emitter, one)).join('');
    case 'return':
      // What is returned begins on the same line: a line break behind `return` would end the statement.
      return node.value ? `return(${emitResult(emitter, node.value)});` : 'return;';
    case 'break':
    case 'continue':
      return `${node.kind};`;
    case 'throw':
      return `${mark(thrownAt(node))};throw(h.thrown(${emit(emitter, node.value)}));`;
    case 'try':
      return emitTry(emitter, node);
    case 'expression':
      return `${emitAddition(emitter, node.value) ?? emit(emitter, node.value)};`;
  }
}

/** An exception of Java has the place where it is made, not that where it is thrown. */
const thrownAt = (node: Of<'throw'>): number =>
  node.value.kind === 'call' && node.value.target === null ? node.value.at : node.at;

/** Counts a loop's turn, and looks at the clock now and then. */
function tick(emitter: Emitter, at: number): string {
  emitter.hasLoops = true;
  return `if((--n&1023)===0)${mark(at)}h.tick(n);`;
}

function emitLoop(emitter: Emitter, node: Of<'loop'>): string {
  const first = node.first.map((one) => emitStatement(emitter, one)).join('');
  const test = node.test ? emit(emitter, node.test) : 'true';
  const body = `{${tick(emitter, node.at)}${node.body ? emitBlock(emitter, node.body) : ''}}`;
  if (node.isTestLast) return `do${body}while(${test});`;
  const after = node.after ? emit(emitter, node.after) : '';
  return `{${first}for(;${test};${after})${body}}`;
}

function emitEach(emitter: Emitter, node: Of<'each'>): string {
  const name = emitter.fresh();
  const isArray = node.values.type.endsWith('[]');
  const at = node.values.kind === 'local' ? node.at : node.values.at;
  const values = `${mark(at)}h.${isArray ? 'iterateArray' : 'iterate'}(${emit(emitter, node.values)})`;
  const isUnboxed = isPrimitive(node.variable) && !isArray;
  const value =
    isUnboxed || !isPrimitive(node.variable) ? emitUnbox(emitter, node.at, node.variable, name, false) : name;
  const body = emitBlock(emitter, node.body);
  return `for(const ${name} of ${values}){${tick(emitter, node.at)}let v${node.slot}=${value};${body}}`;
}

function emitTry(emitter: Emitter, node: Of<'try'>): string {
  const error = emitter.fresh();
  const value = emitter.fresh();
  const handlers = node.catches.map((one) => emitCatch(emitter, one, value)).join('else ');
  const rethrow = `else throw(${error});`;
  return `try${braced(emitter, node.body)}catch(${error}){const ${value}=h.caught(${error});${handlers}${rethrow}}`;
}

function emitCatch(emitter: Emitter, node: TypedCatch, value: string): string {
  const test = `h.isInstance(${value},${emitter.constant(emitter.registry)},${emitter.constant(node.type)})`;
  return `if(${test}){let v${node.slot}=${value};${emitBlock(emitter, node.body)}}`;
}
