import { copyValue, isObject } from '../java-values.js';
import type { ProcessorType } from '../processor-type.js';
import { refused } from '../refused.js';

const PROPERTIES = ['username', 'roles', 'email', 'full_name', 'metadata', 'api_key', 'realm', 'authentication_type'];

/** Properties that are objects. */
const MERGED = ['api_key', 'realm'];

/** Sets an object with properties of the user of the request. */
export const setSecurityUser: ProcessorType = {
  name: 'set_security_user',
  parse(config) {
    const field = config.string('field');
    const properties = config.optionalStrings('properties') ?? PROPERTIES;
    const unknown = properties.find((name) => !PROPERTIES.includes(name.toLowerCase()));
    if (unknown !== undefined) throw config.error('properties', `Property value [${unknown}] is in valid`);
    const names = properties.map((name) => name.toLowerCase());
    return (document, { user }) => {
      if (user === null) {
        throw refused(
          'Security (authentication) is not enabled on this cluster, so there is no active user - the ' +
            '[set_security_user] processor cannot be used without security',
        );
      }
      const known = document.get(field, true);
      const target: Record<string, unknown> = isObject(known) ? known : {};
      for (const name of names) if (user[name] !== undefined) target[name] = mergedInto(target[name], user[name], name);
      document.set(field, target);
    };
  },
};

/** Copies a property; what is known of the key and the realm is added to an object that is there. */
function mergedInto(known: unknown, value: unknown, name: string): unknown {
  const copy = copyValue(value);
  return MERGED.includes(name) && isObject(known) && isObject(copy) ? { ...known, ...copy } : copy;
}
