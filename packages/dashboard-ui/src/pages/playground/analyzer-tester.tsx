import { useState } from 'preact/hooks';
import { type Answer, clusterCall, reasonOf } from '../../request/own-call.js';
import { DataTable } from '../../widgets/data-table.js';
import { NameField } from './name-field.js';

/** Analyzers that every cluster has. */
const BUILT_IN = ['standard', 'simple', 'whitespace', 'stop', 'keyword', 'pattern', 'english', 'fingerprint'];

/** A token as the cluster answers it. */
interface Token {
  readonly token: string;
  readonly type: string;
  readonly position: number;
  readonly start_offset: number;
  readonly end_offset: number;
}

/** Shows the tokens that an analyzer makes of a text. */
export function AnalyzerTester() {
  const [index, setIndex] = useState('');
  const [analyzer, setAnalyzer] = useState('standard');
  const [text, setText] = useState('');
  const [answer, setAnswer] = useState<Answer | null>(null);
  const analyze = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const path = index === '' ? '/_analyze' : `/${encodeURIComponent(index)}/_analyze`;
    setAnswer(await clusterCall('POST', path, { body: { analyzer, text } }));
  };
  const tokens = ((answer?.json ?? {}) as { tokens?: readonly Token[] }).tokens;
  return (
    <form onSubmit={(event) => void analyze(event as SubmitEvent)}>
      <div class="row">
        <NameField label="Index" value={index} onChange={setIndex} />
        <NameField label="Analyzer" value={analyzer} onChange={setAnalyzer} offered={BUILT_IN} />
      </div>
      <label class="field">
        Text
        <textarea rows={4} value={text} required onInput={(event) => setText(event.currentTarget.value)} />
      </label>
      <div class="row">
        <button type="submit" class="primary">
          Analyze
        </button>
      </div>
      {answer !== null && answer.status !== 200 && (
        <p role="alert" class="problem">
          {reasonOf(answer)}
        </p>
      )}
      {tokens !== undefined && (
        <DataTable
          caption="Tokens"
          rows={tokens.map((token, i) => ({ ...token, i }))}
          keyOf={({ i }) => String(i)}
          empty="The text has no tokens."
          columns={[
            { name: 'Token', show: ({ token }) => token },
            { name: 'Position', show: ({ position }) => position, isNumber: true },
            { name: 'From', show: ({ start_offset: from }) => from, isNumber: true },
            { name: 'To', show: ({ end_offset: to }) => to, isNumber: true },
            { name: 'Type', show: ({ type }) => type },
          ]}
        />
      )}
    </form>
  );
}
