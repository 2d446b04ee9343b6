import type { Log } from '@shoal/doors';

/**
 * Returns a log that names its lines after a part of the program, such as `shoal.http`. Its level can be set by that
 * name.
 */
export function namedLog(log: Log, name: string): Log {
  return { write: (level, message, fields) => log.write(level, message, { 'log.logger': name, ...fields }) };
}
