import { JsonText } from '@shoal/json';
import { unsupported } from './thrown.js';

/** Views by what they show, and what they show by view: what a script meets twice is one object to it. */
const views = new WeakMap<object, object>();
const shown = new WeakMap<object, object>();

const refuse = (): never => {
  throw unsupported('Mutating ingest documents in conditionals is not supported');
};

const READ_ONLY: ProxyHandler<object> = {
  get: (target, key) => readOnlyView(Reflect.get(target, key)),
  set: refuse,
  defineProperty: refuse,
  deleteProperty: refuse,
  preventExtensions: refuse,
  setPrototypeOf: refuse,
};

/**
 * Returns a view of a value of JSON whose objects and lists cannot be changed through it, however deep; a script that
 * tries gets unsupported_operation_exception. Nothing is copied, so it costs the same for a document of megabytes.
 */
export function readOnlyView(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || value instanceof JsonText || shown.has(value)) return value;
  // A proxy has to return the very members of a frozen object, and nothing can be changed through those either.
  if (Object.isFrozen(value)) return value;
  let view = views.get(value);
  if (view === undefined) {
    view = new Proxy(value, READ_ONLY);
    views.set(value, view);
    shown.set(view, value);
  }
  return view;
}

/** What a view shows; any other value as it is. */
export function withoutView(value: object): object {
  return shown.get(value) ?? value;
}

/** Whether a value is a view. */
export function isView(value: object): boolean {
  return shown.has(value);
}
