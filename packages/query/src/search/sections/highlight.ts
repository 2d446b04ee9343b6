import { type HighlightField, parseHighlight } from '../../highlight/highlight-spec.js';
import { OBJECT, type SearchSection } from '../section.js';

/** `highlight`: fields whose matches are marked; null: none. */
export const highlight: SearchSection<readonly HighlightField[] | null> = {
  keys: ['highlight'],
  tokens: OBJECT,
  absent: null,
  parse: (value, { body, context }) => parseHighlight(value, body, context),
  effects: () => ({ isCostlyToShow: true }),
};
