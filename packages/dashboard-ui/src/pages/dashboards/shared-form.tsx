import { useEffect, useState } from 'preact/hooks';
import type { Field } from '../../explore/fields.js';
import { FilterList } from '../../explore/filter-list.js';
import { QueryBox } from '../../explore/query-box.js';
import type { Language } from '../../explore/search-state.js';
import { TimeRangeButton } from '../../explore/time-range-button.js';
import type { Shared } from './dashboard-address.js';
import type { PanelDoor } from './use-panel.js';

/** Props of the form. */
interface SharedFormProps {
  readonly shared: Shared & { readonly timeZone: string | null };
  /** Indices whose fields are completed. */
  readonly indices: string;
  readonly door: PanelDoor;
  readonly onChange: (part: Partial<Shared> & { readonly timeZone?: string | null }) => void;
}

/** Range, query and filters of all panels. */
export function SharedForm({ shared, indices, door, onChange }: SharedFormProps) {
  const [text, setText] = useState(shared.text);
  const [language, setLanguage] = useState<Language>(shared.language);
  const [fields, setFields] = useState<readonly Field[]>([]);
  useEffect(() => {
    setText(shared.text);
    setLanguage(shared.language);
  }, [shared.text, shared.language]);
  useEffect(() => {
    let isCurrent = true;
    door.fieldsOf(indices).then(
      (read) => {
        if (isCurrent) setFields(read);
      },
      () => undefined,
    );
    return () => {
      isCurrent = false;
    };
  }, [indices]);
  return (
    <>
      <form
        class="row search-form"
        onSubmit={(event) => {
          event.preventDefault();
          onChange({ text, language });
        }}
      >
        <QueryBox text={text} language={language} indices={indices} fields={fields} problem={null} onText={setText} />
        <label class="field">
          Language
          <select value={language} onChange={(event) => setLanguage(event.currentTarget.value as Language)}>
            <option value="kql">KQL</option>
            <option value="lucene">Lucene</option>
          </select>
        </label>
        <TimeRangeButton
          range={shared.range}
          zone={shared.timeZone}
          onChoose={(range) => onChange({ range, text, language })}
          onZone={(timeZone) => onChange({ timeZone })}
        />
        <button type="submit">Search</button>
      </form>
      <FilterList filters={shared.filters} fields={fields} onChange={(filters) => onChange({ filters })} />
    </>
  );
}
