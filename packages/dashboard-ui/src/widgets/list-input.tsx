import { useId, useState } from 'preact/hooks';

/** Props of the field. */
interface ListInputProps {
  readonly label: string;
  readonly values: readonly string[];
  readonly onChange: (values: readonly string[]) => void;
  /** Names that are offered. */
  readonly offered: readonly string[];
}

/** A field that takes several names: what is typed is taken with Enter, and each can be removed. */
export function ListInput({ label, values, onChange, offered }: ListInputProps) {
  const [typed, setTyped] = useState('');
  const id = useId();
  const take = (): void => {
    const value = typed.trim();
    if (value !== '' && !values.includes(value)) onChange([...values, value]);
    setTyped('');
  };
  return (
    <div class="field">
      <label for={`${id}-input`}>{label}</label>
      <input
        id={`${id}-input`}
        list={`${id}-list`}
        value={typed}
        autocomplete="off"
        spellcheck={false}
        onInput={(event) => setTyped(event.currentTarget.value)}
        onBlur={take}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || typed.trim() === '') return;
          event.preventDefault();
          take();
        }}
      />
      <datalist id={`${id}-list`}>
        {offered.map((one) => (
          <option key={one} value={one} />
        ))}
      </datalist>
      {values.length > 0 && (
        <ul class="chips" aria-label={`${label}, chosen`}>
          {values.map((value) => (
            <li key={value}>
              {value}{' '}
              <button
                type="button"
                aria-label={`Remove ${value}`}
                onClick={() => onChange(values.filter((one) => one !== value))}
              >
                ×
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
