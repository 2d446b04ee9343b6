import { useEffect, useState } from 'preact/hooks';
import { Dialog } from '../widgets/dialog.js';

const KEY = 'shoal:single-keys';

/** Whether keys without Control act (WCAG 2.1.4: they can be switched off). */
function hasSingleKeys(): boolean {
  try {
    return window.localStorage.getItem(KEY) !== 'off';
  } catch {
    return true;
  }
}

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || ['INPUT', 'TEXTAREA', 'SELECT'].includes(target.tagName));

/** Control+K and ? everywhere in the frame. */
export function useKeys({ goTo, keys }: { readonly goTo: () => void; readonly keys: () => void }): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (document.querySelector('dialog[open]') !== null) return;
      if ((event.ctrlKey || event.metaKey) && !event.shiftKey && event.key.toLowerCase() === 'k') {
        event.preventDefault();
        goTo();
      } else if (event.key === '?' && !isTyping(event.target) && hasSingleKeys()) {
        event.preventDefault();
        keys();
      }
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);
}

const KEYS: readonly (readonly [keys: string, does: string])[] = [
  ['Control+K, ⌘+K', 'Go to a page'],
  ['?', 'This list'],
  ['Escape', 'Close a dialog or menu; in the editor: let Tab leave it'],
  ['Arrow keys', 'Move in menus, tabs and grids'],
  ['Shift+Left, Shift+Right', 'At the head of a column of documents: make it narrower or wider'],
  ['Control+Enter, ⌘+Enter', 'Run the request at the cursor (Console)'],
];

/** The list of keys. */
export function KeysDialog({ onClose }: { readonly onClose: () => void }) {
  const [isOn, setOn] = useState(hasSingleKeys());
  const change = (): void => {
    try {
      window.localStorage.setItem(KEY, isOn ? 'off' : 'on');
    } catch {
      // Without storage the keys stay as they are.
    }
    setOn(!isOn);
  };
  return (
    <Dialog title="Keyboard shortcuts" onClose={onClose}>
      <dl class="keys">
        {KEYS.map(([keys, does]) => (
          <div key={keys}>
            <dt>
              <kbd>{keys}</kbd>
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
      <label class="check">
        <input type="checkbox" checked={isOn} onChange={change} /> Keys without Control are on
      </label>
      <div class="row">
        <button type="button" class="primary" onClick={onClose}>
          Close
        </button>
      </div>
    </Dialog>
  );
}
