import type { Expression, WrittenType } from '../tree.js';
import { OPERATION_NAMES } from './operators.js';

const UNARY_NAMES = { '!': 'boolean not', '~': 'bitwise not', '-': 'subtraction', '+': 'addition' } as const;

const typeText = ({ name, dimensions }: WrittenType): string => name + '[]'.repeat(dimensions);

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
      return 'result not used from list initializer';
    case 'map':
      return 'result not used from map initializer';
    case 'name':
      return `variable [${node.name}] not used`;
    case 'member':
      return 'result of dot operator [.] not used';
    case 'index':
      return 'result of brace operator not used';
    case 'binary':
      return `result not used from ${OPERATION_NAMES[node.op]} operation [${node.op}]`;
    case 'unary':
      return `result not used from ${UNARY_NAMES[node.op]} operation [${node.op}]`;
    case 'conditional':
      return 'result not used from conditional operation [?:]';
    case 'elvis':
      return 'result not used from elvis operation [?:]';
    case 'cast':
      return `result not used from explicit cast with target type [${typeText(node.type)}]`;
    case 'instanceof':
      return `result not used from instanceof with target type [${typeText(node.type)}]`;
    case 'newArray':
    case 'arrayOf':
      return 'result not used from new array';
  }
}
