/** Props of a choice. */
interface ChoiceProps {
  readonly label: string;
  readonly value: string;
  /** Values, or values with the words for them. */
  readonly values: readonly string[] | Readonly<Record<string, string>>;
  readonly onChange: (value: string) => void;
}

/** One of a few values; the empty one is shown as a dash. */
export function Choice({ label, value, values, onChange }: ChoiceProps) {
  const named = Array.isArray(values) ? values.map((one: string) => [one, one] as const) : Object.entries(values);
  return (
    <label>
      {label}
      <select value={value} onChange={(event) => onChange(event.currentTarget.value)}>
        {named.map(([one, name]) => (
          <option key={one} value={one}>
            {name === '' ? '–' : name}
          </option>
        ))}
      </select>
    </label>
  );
}
