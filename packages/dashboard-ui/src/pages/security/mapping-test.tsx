import { useState } from 'preact/hooks';
import { DataTable } from '../../widgets/data-table.js';
import { Dialog } from '../../widgets/dialog.js';
import type { ListedObject } from '../../widgets/listed-objects.js';
import { factsOf, mappingResult, type TestedUser } from './mapping-rules.js';

/** Props of the test. */
interface MappingTestProps {
  readonly mappings: readonly Pick<ListedObject, 'id' | 'json'>[];
}

const NOBODY: TestedUser = { username: '', dn: '', groups: '', realm: '', metadata: '' };

/** What mappings give a user who is described: told at each key. */
export function MappingTest({ mappings }: MappingTestProps) {
  const [user, setUser] = useState(NOBODY);
  const facts = factsOf(user);
  const field = (name: keyof TestedUser, label: string) => (
    <label>
      {label}
      <input
        value={user[name]}
        maxLength={1_000}
        autocomplete="off"
        spellcheck={false}
        onInput={(event) => setUser({ ...user, [name]: event.currentTarget.value })}
      />
    </label>
  );
  const area = (name: 'groups' | 'metadata', label: string) => (
    <label>
      {label}
      <textarea
        class="code"
        rows={3}
        value={user[name]}
        spellcheck={false}
        onInput={(event) => setUser({ ...user, [name]: event.currentTarget.value })}
      />
    </label>
  );
  return (
    <div class="form">
      {field('username', 'Tested username')}
      {field('realm', 'Realm')}
      {field('dn', 'Distinguished name')}
      {area('groups', 'Groups, one a line')}
      {area('metadata', 'Metadata as JSON')}
      {typeof facts === 'string' ? (
        <p role="alert" class="problem">
          {facts}
        </p>
      ) : (
        <DataTable
          caption="What the mappings give"
          rows={mappings}
          keyOf={({ id }) => id}
          empty="There is no role mapping yet."
          columns={[
            { name: 'Name', show: ({ id }) => id },
            { name: 'Result', show: ({ json }) => mappingResult(json, facts) },
          ]}
        />
      )}
    </div>
  );
}

/** All mappings tested with one user. */
export function MappingTestDialog({ mappings, onClose }: MappingTestProps & { readonly onClose: () => void }) {
  return (
    <Dialog title="Test role mappings" onClose={onClose}>
      <MappingTest mappings={mappings} />
      <div class="row">
        <button type="button" onClick={onClose}>
          Close
        </button>
      </div>
    </Dialog>
  );
}
