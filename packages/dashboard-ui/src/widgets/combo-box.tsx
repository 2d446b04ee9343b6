import { useEffect, useId, useState } from 'preact/hooks';
import { itemAfterKey } from './menu.js';
import { OptionList, optionId } from './option-list.js';

/** Props of a combobox. */
interface ComboBoxProps {
  readonly label: string;
  readonly value: string;
  /** Texts that are offered; any other may be typed. */
  readonly options: readonly string[];
  /** Gets the text that is taken: with Enter, by choosing an option, or when the focus leaves. */
  readonly onTake: (text: string) => void;
  /** Gets each text that is typed, too. */
  readonly isLive?: boolean;
}

/** Options shown at once. */
const SHOWN_MAX = 100;

/** Options that contain a text, those that begin with it first. */
export function matchingOptions(options: readonly string[], text: string): readonly string[] {
  const lower = text.toLowerCase();
  const rank = (option: string): number => (option.toLowerCase().startsWith(lower) ? 0 : 1);
  return options
    .filter((option) => option.toLowerCase().includes(lower))
    .toSorted((a, b) => rank(a) - rank(b))
    .slice(0, SHOWN_MAX);
}

/** An editable combobox with a list (WAI-ARIA): arrows choose, Enter takes, Escape closes the list. */
export function ComboBox({ label, value, options, onTake, isLive = false }: ComboBoxProps) {
  const [text, setText] = useState(value);
  const [isOpen, setOpen] = useState(false);
  const [isTyped, setTyped] = useState(false);
  const [at, setAt] = useState<number | null>(null);
  const id = useId();
  useEffect(() => setText(value), [value]);
  // A text that is an option needs no list, which would cover what is below.
  const isWhole = isTyped && options.includes(text);
  const shown = isOpen && !isWhole ? matchingOptions(options, isTyped ? text : '') : [];
  const close = (): void => {
    setOpen(false);
    setAt(null);
    setTyped(false);
  };
  const take = (taken: string): void => {
    close();
    setText(taken);
    if (taken !== value) onTake(taken);
  };
  const onKey = (event: KeyboardEvent): void => {
    const next =
      event.key.startsWith('Arrow') && shown.length > 0 ? itemAfterKey(event.key, at ?? -1, shown.length) : null;
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      if (isWhole) setTyped(false);
      else if (!isOpen) setOpen(true);
      else if (next !== null) setAt(event.key === 'ArrowUp' && at === null ? shown.length - 1 : next);
    } else if (event.key === 'Enter') {
      if (isOpen || text !== value) event.preventDefault();
      take(at === null ? text : shown[at]!);
    } else if (event.key === 'Escape' && isOpen) {
      // Within a dialog Escape closes the list alone.
      event.preventDefault();
      event.stopPropagation();
      close();
    }
  };
  return (
    <label class="field combo">
      {label}
      <input
        role="combobox"
        aria-label={label}
        aria-expanded={shown.length > 0}
        aria-autocomplete="list"
        aria-controls={shown.length > 0 ? id : undefined}
        aria-activedescendant={at === null ? undefined : optionId(id, at)}
        autocomplete="off"
        spellcheck={false}
        value={text}
        onInput={(event) => {
          setText(event.currentTarget.value);
          setTyped(true);
          setOpen(true);
          setAt(null);
          if (isLive) onTake(event.currentTarget.value);
        }}
        onClick={() => setOpen(true)}
        onKeyDown={onKey}
        onBlur={() => take(text)}
      />
      <OptionList id={id} label={`Choices for ${label}`} options={shown} at={at} onChoose={take} />
    </label>
  );
}
