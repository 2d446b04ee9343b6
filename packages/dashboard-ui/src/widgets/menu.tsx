import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';

/** One entry of a menu. */
export interface MenuItem {
  readonly name: string;
  readonly act: () => void;
  /** Whether it cannot act now. It keeps its place, so that nothing moves under the pointer once it can. */
  readonly isOff?: boolean;
}

/** Props of a menu button. */
interface MenuProps {
  /** Accessible name of the button. */
  readonly label: string;
  /** What the button shows, if it is not its name. */
  readonly shown?: string;
  readonly items: readonly MenuItem[];
}

/** The item that a key leads to from item `at` of `count`; null if the key means nothing in a menu. */
export function itemAfterKey(key: string, at: number, count: number): number | null {
  if (key === 'ArrowDown') return (at + 1) % count;
  if (key === 'ArrowUp') return (at + count - 1) % count;
  if (key === 'Home') return 0;
  return key === 'End' ? count - 1 : null;
}

/** Whether a list has room below its button. */
const hasRoomBelow = (button: HTMLElement, list: HTMLElement): boolean =>
  button.getBoundingClientRect().bottom + list.getBoundingClientRect().height <= window.innerHeight;

/**
 * Puts a list below its button, or above. Fixed to the window: a table would cut it off. Returns whether the button is
 * in the window.
 */
function placeList(button: HTMLElement, list: HTMLElement, isBelow: boolean): boolean {
  const { top, bottom, right } = button.getBoundingClientRect();
  const { height } = list.getBoundingClientRect();
  list.style.top = `${isBelow ? bottom : Math.max(0, Math.min(top, window.innerHeight) - height)}px`;
  list.style.right = `${document.documentElement.clientWidth - right}px`;
  return bottom > 0 && top < window.innerHeight;
}

/** An element that a component shows, once it is there. */
type Shown = { readonly current: HTMLElement | null };

/**
 * Keeps an open list at its button, and calls `close` when something else is pressed or the button was scrolled out of
 * sight. Content that arrives above moves the button, and the browser scrolls after it: no reason to close.
 */
function useAtButton(isOpen: boolean, button: Shown, list: Shown, close: () => void) {
  useLayoutEffect(() => {
    if (!isOpen) return;
    // An open list stays on its side: it must not jump away from a pointer that is about to press.
    const isBelow = hasRoomBelow(button.current!, list.current!);
    const place = (): boolean => placeList(button.current!, list.current!, isBelow);
    place();
    const onPointer = ({ target }: Event): void => {
      if (![button, list].some(({ current }) => current?.contains(target as Node))) close();
    };
    const onScroll = (): void => {
      if (!place()) close();
    };
    const onSize = new ResizeObserver(place);
    onSize.observe(document.body);
    document.addEventListener('pointerdown', onPointer);
    document.addEventListener('scroll', onScroll, true);
    return () => {
      onSize.disconnect();
      document.removeEventListener('pointerdown', onPointer);
      document.removeEventListener('scroll', onScroll, true);
    };
  }, [isOpen]);
}

/** A button that opens a menu (WAI-ARIA menu button): arrows move, Enter acts, Escape and Tab close. */
export function Menu({ label, shown, items }: MenuProps) {
  const [isOpen, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const id = useId();
  const itemAt = (at: number): void => (list.current?.children[at] as HTMLElement | undefined)?.focus();
  const close = (isFocusBack: boolean): void => {
    setOpen(false);
    if (isFocusBack) button.current?.focus();
  };
  useAtButton(isOpen, button, list, () => close(false));
  // Before the page is painted: a key that follows at once is for the first item.
  useLayoutEffect(() => {
    if (isOpen) itemAt(0);
  }, [isOpen]);
  const onKey = (event: KeyboardEvent): void => {
    const at = [...list.current!.children].indexOf(document.activeElement!);
    const next = itemAfterKey(event.key, at, items.length);
    if (event.key === 'Escape' || event.key === 'Tab') close(event.key === 'Escape');
    if (event.key === 'Escape' || next !== null) event.preventDefault();
    if (next !== null) itemAt(next);
  };
  return (
    <span class="menu">
      <button
        ref={button}
        type="button"
        aria-label={label}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        onClick={() => setOpen(!isOpen)}
      >
        {shown ?? label}
      </button>
      {isOpen && (
        <div ref={list} id={id} role="menu" aria-label={label} class="menu-list" onKeyDown={onKey}>
          {items.map(({ name, act, isOff }) => (
            <button
              key={name}
              type="button"
              role="menuitem"
              tabIndex={-1}
              aria-disabled={isOff}
              onClick={() => {
                if (isOff) return;
                close(true);
                act();
              }}
            >
              {name}
            </button>
          ))}
        </div>
      )}
    </span>
  );
}
