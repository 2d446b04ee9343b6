import { useRef, useState } from 'preact/hooks';
import { type ColumnWidths, widthAfterKey } from './column-widths.js';

/** Widths while they are changed, and what changes them. */
export interface Resize {
  readonly widths: ColumnWidths;
  readonly onDrag: (name: string, px: number | null) => void;
  /** Takes what is drawn over. */
  readonly onDrop: () => void;
  readonly onReset: (name: string) => void;
  /** Returns whether the key changed the width of the column at whose head it was pressed. */
  readonly onKey: (event: KeyboardEvent) => boolean;
}

/** A column that is drawn in another width than it has. */
interface Drawn {
  readonly name: string;
  readonly px: number;
}

/** Changes of widths: drawn at each step, taken over at the end. `onWidth` is undefined where widths stay: null. */
export function useResize(
  widths: ColumnWidths,
  onWidth: ((name: string, px: number | null) => void) | undefined,
): Resize | null {
  const drawn = useRef<Drawn | null>(null);
  const [shown, setShown] = useState<Drawn | null>(null);
  if (onWidth === undefined) return null;
  const draw = (next: Drawn | null): void => {
    drawn.current = next;
    setShown(next);
  };
  return {
    widths: shown === null ? widths : { ...widths, [shown.name]: shown.px },
    onDrag: (name, px) => draw(px === null ? null : { name, px }),
    onDrop: () => {
      const { current } = drawn;
      draw(null);
      if (current !== null) onWidth(current.name, current.px);
    },
    onReset: (name) => onWidth(name, null),
    onKey: (event) => {
      const head = (event.target as HTMLElement).closest<HTMLElement>('[data-field]');
      if (head === null) return false;
      const px = widthAfterKey(event.key, event.shiftKey, head.offsetWidth);
      if (px === null) return false;
      event.preventDefault();
      draw({ name: head.dataset['field']!, px });
      return true;
    },
  };
}
