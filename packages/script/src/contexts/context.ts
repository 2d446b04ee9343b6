import type { AllowTable, Implementation } from '../painless/allow/class-row.js';
import type { Type } from '../painless/types.js';

/** A function that scripts of a context call without an object: `saturation(v, k)`, `emit(v)`. */
export interface ContextFunction {
  /** As of a static method: `double saturation(double,double)`. */
  readonly signature: string;
  /** Variables of the context that it gets in front of its arguments. */
  readonly variables: readonly string[];
  readonly implementation: Implementation;
  readonly isRandom?: true;
  /** Whether the first argument is the name of a field. */
  readonly namesField?: true;
}

/** A place where scripts run: what the compiler has to know of it. */
export interface ScriptContext {
  /** Milliseconds of one execution, where it is not 100: the thread that runs it serves all requests. */
  readonly maxMs?: number;
  readonly name: string;
  /** Type of what a script returns. */
  readonly result: Type;
  /** Variables in the order of a call's frame. Those named `#…` are for functions of the context only. */
  readonly variables: readonly { readonly name: string; readonly type: Type }[];
  readonly functions: readonly ContextFunction[];
  readonly allow: readonly AllowTable[];
  /** Parameters of the function in Java, of which errors tell; default 0. */
  readonly parameterCount?: number;
  /** Makes what the host gets of a result that is no number of JavaScript; absent: its JSON. */
  readonly leaves?: (result: unknown) => unknown;
}
