import { errors } from '@shoal/errors';

/** Parses `all` or a number of copies. */
export function parseActiveShards(text: string): 'all' | number {
  if (text === 'all') return 'all';
  if (/^\d+$/.test(text)) return Number(text);
  throw errors.illegalArgument(`cannot parse ActiveShardCount[${text}]`, {
    cause: errors.numberFormat(`For input string: "${text}"`),
  });
}
