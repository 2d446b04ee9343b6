import { useId, useState } from 'preact/hooks';
import { PAGES } from '../pages/catalogue.js';
import { goTo } from '../state/router.js';
import { Dialog } from '../widgets/dialog.js';
import { itemAfterKey } from '../widgets/menu.js';

/** Pages whose name has all words of the text, in the order of the navigation. */
export function matchingPages<T extends { readonly name: string }>(pages: readonly T[], text: string): readonly T[] {
  const words = text.toLowerCase().split(/\s+/);
  return pages.filter(({ name }) => words.every((word) => name.toLowerCase().includes(word)));
}

/** Goes to a page by a few letters of its name: an editable combobox with its list (WAI-ARIA). */
export function GoTo({ onClose }: { readonly onClose: () => void }) {
  const [text, setText] = useState('');
  const [at, setAt] = useState(0);
  const id = useId();
  const found = matchingPages(PAGES, text);
  const choose = (page: { readonly id: string } | undefined): void => {
    if (page === undefined) return;
    onClose();
    goTo(`/app/${page.id}`);
  };
  const onKey = (event: KeyboardEvent): void => {
    const next = event.key.startsWith('Arrow') ? itemAfterKey(event.key, at, Math.max(1, found.length)) : null;
    if (next !== null) setAt(next);
    if (event.key === 'Enter') choose(found[at]);
    if (next !== null || event.key === 'Enter') event.preventDefault();
  };
  return (
    <Dialog title="Go to" onClose={onClose}>
      <label>
        Page
        <input
          role="combobox"
          aria-expanded="true"
          aria-autocomplete="list"
          aria-controls={id}
          aria-activedescendant={found[at] === undefined ? undefined : `${id}-${found[at].id}`}
          value={text}
          autofocus
          onInput={(event) => {
            setText(event.currentTarget.value);
            setAt(0);
          }}
          onKeyDown={onKey}
        />
      </label>
      <div id={id} role="listbox" aria-label="Pages" class="options">
        {found.map((page, i) => (
          <div
            key={page.id}
            id={`${id}-${page.id}`}
            role="option"
            aria-selected={i === at}
            onClick={() => choose(page)}
          >
            {page.name}
          </div>
        ))}
      </div>
      {found.length === 0 && <p role="status">No page has this name.</p>}
      <div class="row">
        <button type="button" onClick={onClose}>
          Cancel
        </button>
      </div>
    </Dialog>
  );
}
