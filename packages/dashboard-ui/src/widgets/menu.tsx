import { useEffect, useId, useLayoutEffect, useRef, useState } from 'preact/hooks';

/** One entry of a menu. */
export interface MenuItem {
  readonly name: string;
  readonly act: () => void;
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

/** Puts a list below its button, or above where there is no room. Fixed to the window: a table would cut it off. */
function placeList(button: HTMLElement, list: HTMLElement): void {
  const { top, bottom, right } = button.getBoundingClientRect();
  const { height } = list.getBoundingClientRect();
  const isBelow = bottom + height <= window.innerHeight;
  list.style.top = `${isBelow ? bottom : Math.max(0, Math.min(top, window.innerHeight) - height)}px`;
  list.style.right = `${document.documentElement.clientWidth - right}px`;
}

/**
 * Calls `close` when something else is pressed or the page is scrolled. Listens after the page is painted: a scroll
 * that brought the button into sight is told a frame later, and must not close the list.
 */
function useOutside(isOpen: boolean, inside: readonly { readonly current: HTMLElement | null }[], close: () => void) {
  useEffect(() => {
    if (!isOpen) return;
    const onPointer = (event: Event): void => {
      const target = event.target as Node;
      if (!inside.some(({ current }) => current?.contains(target))) close();
    };
    document.addEventListener('pointerdown', onPointer);
    document.addEventListener('scroll', close, true);
    return () => {
      document.removeEventListener('pointerdown', onPointer);
      document.removeEventListener('scroll', close, true);
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
  // Before the page is painted: a key that follows at once is for the first item.
  useLayoutEffect(() => {
    if (!isOpen) return;
    placeList(button.current!, list.current!);
    itemAt(0);
  }, [isOpen]);
  useOutside(isOpen, [button, list], () => close(false));
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
          {items.map(({ name, act }) => (
            <button
              key={name}
              type="button"
              role="menuitem"
              tabIndex={-1}
              onClick={() => {
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
