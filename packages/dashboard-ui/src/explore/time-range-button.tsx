import { useState } from 'preact/hooks';
import { clock } from '../state/browser-clock.js';
import { BROWSER_ZONE, shownZone } from '../state/shown-zone.js';
import { chosenZone } from '../state/time-zone.js';
import { Dialog } from '../widgets/dialog.js';
import { ZoneChoice } from '../widgets/zone-choice.js';
import { PRESETS, rangeName, spanOf, type TimeRange } from './time-range.js';

/** Props of the choice of a range. */
interface TimeRangeProps {
  /** Null while it is not known. */
  readonly range: TimeRange | null;
  /** Zone of the address; null if that of the settings holds. */
  readonly zone: string | null;
  readonly onChoose: (range: TimeRange) => void;
  readonly onZone: (zone: string | null) => void;
}

/** The range of time, and a dialog to choose another. */
export function TimeRangeButton(props: TimeRangeProps) {
  const { range } = props;
  const [isOpen, setOpen] = useState(false);
  const name = range === null ? 'not known yet' : rangeName(range);
  return (
    <>
      <button type="button" aria-haspopup="dialog" onClick={() => setOpen(true)}>
        Time range: {name}
      </button>
      {isOpen && <TimeRangeDialog {...props} onClose={() => setOpen(false)} />}
    </>
  );
}

function TimeRangeDialog(props: TimeRangeProps & { readonly onClose: () => void }) {
  const { range, zone, onChoose, onZone, onClose } = props;
  const ends = range === null || range === 'all' ? { from: '', to: 'now' } : range;
  const [problem, setProblem] = useState('');
  const choose = (chosen: TimeRange): void => {
    onClose();
    onChoose(chosen);
  };
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    const form = new FormData(event.currentTarget as HTMLFormElement);
    const chosen = { from: String(form.get('from')).trim(), to: String(form.get('to')).trim() || 'now' };
    if (spanOf(chosen, clock.now()) !== null) return choose(chosen);
    setProblem('This is no range of time: write dates such as 2024-01-31T12:00, or now-15m, the earlier one first.');
  };
  return (
    <Dialog title="Time range" onClose={onClose}>
      <div class="row">
        {PRESETS.map(({ name, from }) => (
          <button key={name} type="button" onClick={() => choose({ from, to: 'now' })}>
            {name}
          </button>
        ))}
        <button type="button" onClick={() => choose('all')}>
          All time
        </button>
      </div>
      <form class="form" onSubmit={(event) => submit(event as SubmitEvent)}>
        {problem !== '' && (
          <p role="alert" class="problem">
            {problem}
          </p>
        )}
        <label>
          From
          <input name="from" defaultValue={ends.from} spellcheck={false} autocomplete="off" required />
        </label>
        <label>
          To
          <input name="to" defaultValue={ends.to} spellcheck={false} autocomplete="off" />
        </label>
        <ZoneChoice
          label="Time zone"
          zone={zone}
          without={`That of the settings (${chosenZone.value ?? BROWSER_ZONE})`}
          onChoose={onZone}
        />
        <p class="evidence">
          Dates without a zone are those of {shownZone.value}. now-1d/d is the begin of yesterday there.
        </p>
        <div class="row">
          <button type="submit" class="primary">
            Apply
          </button>
          <button type="button" onClick={onClose}>
            Cancel
          </button>
        </div>
      </form>
    </Dialog>
  );
}
