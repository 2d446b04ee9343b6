import type { ComponentChildren } from 'preact';
import { useId, useLayoutEffect, useRef } from 'preact/hooks';

/** Props of a dialog. */
interface DialogProps {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
  /** A dialog that must be answered is not closed by Escape. */
  readonly isModalOnly?: boolean;
}

/**
 * A modal dialog on the browser's own: it traps the focus, makes the rest inert, and gives the focus back when it
 * closes.
 */
export function Dialog({ title, onClose, children, isModalOnly = false }: DialogProps) {
  const element = useRef<HTMLDialogElement>(null);
  const heading = useId();
  // Before the page is painted: a key that follows at once is for the dialog.
  useLayoutEffect(() => {
    const dialog = element.current!;
    const opener = document.activeElement as HTMLElement | null;
    dialog.showModal();
    return () => {
      dialog.close();
      if (opener?.isConnected) opener.focus();
    };
  }, []);
  return (
    <dialog
      ref={element}
      class="dialog"
      aria-labelledby={heading}
      onCancel={(event) => {
        event.preventDefault();
        if (!isModalOnly) onClose();
      }}
    >
      <h2 id={heading}>{title}</h2>
      {children}
    </dialog>
  );
}
