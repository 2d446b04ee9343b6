import type { FieldValues } from '../runtime/field-values.js';
import { FieldObject } from '../runtime/field-object.js';
import type { HostMap } from '../runtime/values.js';
import type { ContextFunction } from './context.js';

function fieldOf(doc: HostMap, name: string): FieldObject {
  return new FieldObject(name, doc.has(name) ? (doc.get(name) as FieldValues) : null);
}

/** Functions of scripts that see documents: the values of a field. The checker reads `$(f, d)` as `field(f).get(d)`. */
export const FIELD_ACCESS: readonly ContextFunction[] = [
  { signature: 'def field(String)', variables: ['doc'], implementation: fieldOf, namesField: true },
];
