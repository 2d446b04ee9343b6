import type { Log } from '@shoal/doors';

/** The same log under the name of a part of the program, `shoal.http`: its level can be set by that name. */
export function namedLog(log: Log, name: string): Log {
  return { write: (level, message, fields) => log.write(level, message, { 'log.logger': name, ...fields }) };
}
