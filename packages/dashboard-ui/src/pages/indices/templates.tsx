import { prettyJson } from '@shoal/values';
import { useState } from 'preact/hooks';
import { type Answer, clusterCall, reasonOf } from '../../request/own-call.js';
import { Dialog } from '../../widgets/dialog.js';
import { JsonObjects } from '../../widgets/json-objects.js';
import { cellText, type ListedObject, readList } from '../../widgets/listed-objects.js';
import { inPath } from './index-rows.js';

const EXAMPLE = `{
  "index_patterns": ["logs-app-*"],
  "priority": 500,
  "data_stream": {},
  "template": { "settings": { "number_of_replicas": 1 } }
}`;

const COMPONENT_EXAMPLE = `{
  "template": {
    "mappings": { "properties": { "@timestamp": { "type": "date" } } }
  }
}`;

const column = (name: string, member: string, isNumber = false) => ({
  name,
  show: ({ json }: ListedObject) => cellText(json[member]),
  isNumber,
});

/** Templates of indices and data streams; "Simulate" shows what an index of one would be. */
export function Templates() {
  const [simulated, setSimulated] = useState<string | null>(null);
  return (
    <>
      <JsonObjects
        key="templates"
        name="Templates"
        one="template"
        path="/_index_template"
        read={readList('index_templates', 'index_template')}
        example={EXAMPLE}
        lost="Indices of its patterns are then made without it."
        columns={[
          column('Patterns', 'index_patterns'),
          column('Priority', 'priority', true),
          column('Made of', 'composed_of'),
          { name: 'Data stream', show: ({ json }) => (json['data_stream'] === undefined ? 'no' : 'yes') },
        ]}
        actions={({ id }) => (
          <button type="button" aria-label={`Simulate ${id}`} onClick={() => setSimulated(id)}>
            Simulate
          </button>
        )}
      />
      {simulated !== null && <Simulated name={simulated} onClose={() => setSimulated(null)} />}
    </>
  );
}

function Simulated({ name, onClose }: { readonly name: string; readonly onClose: () => void }) {
  const [answer, setAnswer] = useState<Answer | null>(null);
  const call = `POST /_index_template/_simulate/${inPath(name)}`;
  const run = (): void => void clusterCall('POST', call.slice('POST '.length)).then(setAnswer);
  return (
    <Dialog title={`Simulate ${name}`} onClose={onClose}>
      <p>What an index of this template would be. The call:</p>
      <pre>{call}</pre>
      {answer !== null && answer.status === 200 && (
        <pre tabIndex={0} aria-label="Settings, mappings and aliases">
          {prettyJson(answer.text)}
        </pre>
      )}
      {answer !== null && answer.status !== 200 && (
        <p role="alert" class="problem">
          {reasonOf(answer)}
        </p>
      )}
      <div class="row">
        <button type="button" class="primary" autofocus onClick={run}>
          Run it
        </button>
        <button type="button" onClick={onClose}>
          Close
        </button>
      </div>
    </Dialog>
  );
}

/** Parts that templates are made of. */
export const ComponentTemplates = () => (
  <JsonObjects
    key="components"
    name="Component templates"
    one="component template"
    path="/_component_template"
    read={readList('component_templates', 'component_template')}
    example={COMPONENT_EXAMPLE}
    lost="Templates that are made of it are refused until it is there again."
    columns={[column('Definition', 'template')]}
  />
);
