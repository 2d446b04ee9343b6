import { errors } from '@shoal/errors';
import { javaText } from '../java-values.js';
import type { ProcessorType } from '../processor-type.js';
import { andThen, type Pause, resultInTurns } from '../steps-in-turns.js';

/** Items that are joined at a stretch. */
const ITEMS_IN_TURN = 4_096;

/** Joins items; a promise if the thread was given to others meanwhile. */
function joined(
  list: readonly unknown[],
  separator: string,
  charge: (bytes: number) => void,
  pause: Pause,
): string | Promise<string> {
  const pieces: string[] = [];
  let from = 0;
  const step = (): boolean => {
    if (from >= list.length) return false;
    const piece = list
      .slice(from, from + ITEMS_IN_TURN)
      .map(javaText)
      .join(separator);
    charge(piece.length + separator.length);
    pieces.push(piece);
    from += ITEMS_IN_TURN;
    return true;
  };
  return resultInTurns(step, pause, () => pieces.join(separator));
}

/** Joins the items of a list to a text. */
export const join: ProcessorType = {
  name: 'join',
  parse(config) {
    const field = config.string('field');
    const separator = config.string('separator');
    const targetField = config.stringOr('target_field', field);
    return (document, { pause }) => {
      const list = document.list(field);
      if (list === null) throw errors.illegalArgument(`field [${field}] is null, cannot join.`);
      if (list.includes(null)) throw errors.illegalArgument(`field [${field}] contains null, cannot join.`);
      const text = joined(list, separator, (bytes) => document.charge(bytes), pause);
      return andThen(text, (whole) => document.set(targetField, whole));
    };
  },
};
