import { useEffect, useState } from 'preact/hooks';
import { QueryBox } from '../../explore/query-box.js';
import type { Language, SearchState } from '../../explore/search-state.js';
import { TimeRangeButton } from '../../explore/time-range-button.js';
import type { SearchResult } from '../../explore/use-search.js';
import { ComboBox } from '../../widgets/combo-box.js';

/** Props of the form. */
interface SearchFormProps {
  readonly state: SearchState & { readonly indices: string };
  /** Names that can be searched. */
  readonly names: readonly string[];
  readonly result: SearchResult;
  readonly onChange: (part: Partial<SearchState>) => void;
}

/** Indices, query, language and range. A change of the text is searched for with Enter or the button. */
export function SearchForm({ state, names, result, onChange }: SearchFormProps) {
  const [text, setText] = useState(state.text);
  const [language, setLanguage] = useState<Language>(state.language);
  useEffect(() => {
    setText(state.text);
    setLanguage(state.language);
  }, [state.text, state.language]);
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    onChange({ text, language });
  };
  return (
    <form class="row search-form" onSubmit={(event) => submit(event as SubmitEvent)}>
      <ComboBox
        label="Indices"
        value={state.indices}
        options={names}
        onTake={(taken) =>
          onChange({ indices: taken.trim() || null, text, language, columns: [], sort: null, breakdown: null })
        }
      />
      <QueryBox
        text={text}
        language={language}
        indices={state.indices}
        fields={result.fields}
        problem={result.problem}
        onText={setText}
      />
      <label class="field">
        Language
        <select value={language} onChange={(event) => setLanguage(event.currentTarget.value as Language)}>
          <option value="kql">KQL</option>
          <option value="lucene">Lucene</option>
        </select>
      </label>
      <TimeRangeButton
        range={state.range ?? result.range}
        zone={state.timeZone}
        onChoose={(range) => onChange({ range, text, language })}
        onZone={(timeZone) => onChange({ timeZone })}
      />
      <button type="submit" class="primary">
        Search
      </button>
    </form>
  );
}
