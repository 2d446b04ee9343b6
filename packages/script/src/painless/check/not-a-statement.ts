import type { Expression } from '../tree.js';
import { OPERATION_NAMES } from './operators.js';

const UNARY_NAMES = { '!': 'boolean not', '~': 'bitwise not', '-': 'subtraction', '+': 'addition' } as const;

/** Returns what is lost if an expression stands as a statement; null for one that does something. */
export function notAStatement(node: Expression): string | null {
  switch (node.kind) {
    case 'assign':
    case 'step':
    case 'call':
    case 'method':
    case 'new':
      return null;
    case 'number':
      return `numeric constant [${node.text}] not used`;
    case 'text':
      return `string constant [${node.value}] not used`;
    case 'boolean':
      return `boolean constant [${node.value}] not used`;
    case 'null':
      return 'null constant not used';
    case 'regex':
      return `regex constant [${node.pattern}] with flags [${node.flags}] not used`;
    case 'list':
      return 'list initializer not used';
    case 'map':
      return 'map initializer not used';
    case 'name':
      return `variable [${node.name}] not used`;
    case 'member':
      return `dot operator [.] not used for field [${node.name}]`;
    case 'index':
      return 'result of brace operator not used';
    case 'binary':
      return `result not used from ${OPERATION_NAMES[node.op]} operation [${node.op}]`;
    case 'unary':
      return `result not used from ${UNARY_NAMES[node.op]} operation [${node.op}]`;
    case 'conditional':
      return 'conditional operation [?:] result not used';
    case 'elvis':
      return 'elvis operation [?:] result not used';
    case 'cast':
      return 'result not used from cast';
    case 'instanceof':
      return 'result not used from instanceof operation';
    case 'newArray':
    case 'arrayOf':
      return 'array initializer not used';
  }
}
