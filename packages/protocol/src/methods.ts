import { services } from './generated/services.js';
import type { Method } from './method.js';

const byAction: ReadonlyMap<string, Method<object, object>> = new Map(
  Object.values(services).flatMap((methods) =>
    Object.values<Method<object, object>>(methods).map((method) => [method.action, method]),
  ),
);

/** Returns the method of an action; undefined for an action that this build does not know. */
export function methodOf(action: string): Method<object, object> | undefined {
  return byAction.get(action);
}
