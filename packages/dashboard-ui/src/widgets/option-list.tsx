import { useEffect, useRef } from 'preact/hooks';

/** Props of a list of options below a text field, which keeps the focus. */
interface OptionListProps {
  readonly id: string;
  readonly label: string;
  readonly options: readonly string[];
  /** The active option; null for none. */
  readonly at: number | null;
  readonly onChoose: (option: string) => void;
}

/** Options below a text field: a listbox whose active option the field names. Nothing if there are none. */
export function OptionList({ id, label, options, at, onChoose }: OptionListProps) {
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (at !== null) list.current?.children[at]?.scrollIntoView({ block: 'nearest' });
  }, [at]);
  if (options.length === 0) return null;
  return (
    <div ref={list} id={id} role="listbox" aria-label={label} class="popup options">
      {options.map((option, i) => (
        <div
          key={option}
          id={optionId(id, i)}
          role="option"
          aria-selected={i === at}
          onPointerDown={(event) => event.preventDefault()}
          onClick={(event) => {
            event.preventDefault();
            onChoose(option);
          }}
        >
          {option}
        </div>
      ))}
    </div>
  );
}

/** Id of an option of a list. */
export const optionId = (id: string, at: number): string => `${id}-${at}`;
