import { BROWSER_ZONE } from '../../state/shown-zone.js';
import { chosenZone, chooseZone } from '../../state/time-zone.js';
import { chooseTheme, type Theme, theme } from '../../state/theme.js';
import { ZoneChoice } from '../../widgets/zone-choice.js';
import { SavedObjects } from './saved-objects.js';

const THEMES: readonly (readonly [value: Theme, name: string])[] = [
  ['system', 'System'],
  ['light', 'Light'],
  ['dark', 'Dark'],
];

/** Settings of this browser, and what was saved as a file. */
export function Page() {
  return (
    <>
      <h1 tabIndex={-1}>Settings</h1>
      <fieldset role="radiogroup">
        <legend>Theme</legend>
        {THEMES.map(([value, name]) => (
          <label key={value} class="check">
            <input type="radio" name="theme" checked={theme.value === value} onChange={() => chooseTheme(value)} />
            {name}
          </label>
        ))}
      </fieldset>
      <fieldset>
        <legend>Time</legend>
        <ZoneChoice
          label="Time zone"
          zone={chosenZone.value}
          without={`Of this browser (${BROWSER_ZONE})`}
          onChoose={chooseZone}
        />
        <p class="evidence">
          Times are shown in this zone, and charts count its days. The address of a search may name another.
        </p>
      </fieldset>
      <SavedObjects />
    </>
  );
}
