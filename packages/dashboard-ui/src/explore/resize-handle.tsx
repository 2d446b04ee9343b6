import { useRef } from 'preact/hooks';
import { boundWidth } from './column-widths.js';

/** Props of the handle. */
interface ResizeHandleProps {
  /** Gets each width while the handle is dragged; null when the drag was broken off. */
  readonly onDrag: (px: number | null) => void;
  /** Called when the handle is let go. */
  readonly onDrop: () => void;
  /** Called for a double click: the default again. */
  readonly onReset: () => void;
}

/**
 * The edge of a column's head, for the mouse and the finger alone: keys change the width at the head itself, and the
 * dialog "Columns" takes it as a number.
 */
export function ResizeHandle({ onDrag, onDrop, onReset }: ResizeHandleProps) {
  const from = useRef<{ readonly x: number; readonly px: number } | null>(null);
  const down = (event: PointerEvent): void => {
    const handle = event.currentTarget as HTMLElement;
    event.preventDefault();
    handle.setPointerCapture(event.pointerId);
    from.current = { x: event.clientX, px: handle.parentElement!.offsetWidth };
  };
  const move = ({ clientX }: PointerEvent): void => {
    if (from.current !== null) onDrag(boundWidth(from.current.px + clientX - from.current.x));
  };
  const end = (isDropped: boolean): void => {
    if (from.current === null) return;
    from.current = null;
    if (isDropped) onDrop();
    else onDrag(null);
  };
  return (
    <span
      class="grid-handle"
      aria-hidden="true"
      onPointerDown={down}
      onPointerMove={move}
      onPointerUp={() => end(true)}
      onPointerCancel={() => end(false)}
      onDblClick={onReset}
    />
  );
}
