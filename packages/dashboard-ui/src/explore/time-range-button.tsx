import { useState } from 'preact/hooks';
import { clock } from '../state/browser-clock.js';
import { Dialog } from '../widgets/dialog.js';
import { PRESETS, rangeName, spanOf, type TimeRange } from './time-range.js';

/** Props of the choice of a range. */
interface TimeRangeProps {
  /** Null while it is not known. */
  readonly range: TimeRange | null;
  readonly onChoose: (range: TimeRange) => void;
}

/** The range of time, and a dialog to choose another. */
export function TimeRangeButton({ range, onChoose }: TimeRangeProps) {
  const [isOpen, setOpen] = useState(false);
  const name = range === null ? 'not known yet' : rangeName(range);
  return (
    <>
      <button type="button" aria-haspopup="dialog" onClick={() => setOpen(true)}>
        Time range: {name}
      </button>
      {isOpen && <TimeRangeDialog range={range} onChoose={onChoose} onClose={() => setOpen(false)} />}
    </>
  );
}

function TimeRangeDialog({ range, onChoose, onClose }: TimeRangeProps & { readonly onClose: () => void }) {
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
        <p class="evidence">Dates are those of this browser’s zone. now-1d/d is the begin of yesterday.</p>
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
