import { useId, useMemo } from 'preact/hooks';
import { zoneNames } from '../state/time-zone.js';

/** Props of the choice of a zone. */
interface ZoneChoiceProps {
  readonly label: string;
  /** The zone chosen; null for none. */
  readonly zone: string | null;
  /** What none means. */
  readonly without: string;
  readonly onChoose: (zone: string | null) => void;
}

/** Zones of the time zone database to choose from. */
export function ZoneChoice({ label, zone, without, onChoose }: ZoneChoiceProps) {
  const id = useId();
  const names = useMemo(() => {
    const known = zoneNames();
    return zone === null || known.includes(zone) ? known : [zone, ...known];
  }, [zone]);
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <select id={id} value={zone ?? ''} onChange={(event) => onChoose(event.currentTarget.value || null)}>
        <option value="">{without}</option>
        {names.map((name) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
      </select>
    </div>
  );
}
