import { errors } from '@shoal/errors';

/** Refuses options of a compiler other than the kind of text that a template makes. */
export function checkOptions(options: Readonly<Record<string, unknown>>): void {
  const entries = Object.entries(options);
  if (entries.length === 0 || (entries.length === 1 && Object.hasOwn(options, 'content_type'))) return;
  const shown = entries.map(([key, value]) => `${key}=${String(value)}`).join(', ');
  throw errors.illegalArgument(`illegal compiler options [{${shown}}] specified`);
}
