import { useEffect, useState } from 'preact/hooks';
import { goTo, place } from '../../state/router.js';
import { boot } from '../../state/session.js';
import { Tabs } from '../../widgets/tabs.js';
import { ApiKeys } from './api-keys.js';
import { JsonObjects } from '../../widgets/json-objects.js';
import { cellText, type ListedObject, readByName } from '../../widgets/listed-objects.js';
import { MappingTest, MappingTestDialog } from './mapping-test.js';
import { RolePreview } from './role-preview.js';
import { Users } from './users.js';

const TABS = ['users', 'roles', 'keys', 'mappings'];

/** Users, roles, keys and mappings of the cluster. */
export function Page() {
  const [, , , part = ''] = place.value.path.split('/');
  useEffect(() => {
    // Addresses of the parts: /app/security/roles.
    if (TABS.includes(part)) goTo(part === 'users' ? '/app/security' : `/app/security?tab=${part}`, true);
  }, [part]);
  return (
    <>
      <h1 tabIndex={-1}>Security</h1>
      {boot.hasSecurity ? (
        <Parts />
      ) : (
        <p>This cluster has no security: xpack.security.enabled: true in its settings switches it on.</p>
      )}
    </>
  );
}

/** The test of one mapping, also while its text is written. */
function testOf(name: string, definition: string) {
  const json = jsonObjectOf(definition);
  if (json === null) return <p role="alert">The definition is no JSON object.</p>;
  return <MappingTest mappings={[{ id: name || 'This mapping', json }]} />;
}

function jsonObjectOf(text: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Readonly<Record<string, unknown>>)
      : null;
  } catch {
    return null;
  }
}

function TestAll({ mappings }: { readonly mappings: readonly ListedObject[] }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        Test role mappings
      </button>
      {isOpen && <MappingTestDialog mappings={mappings} onClose={() => setOpen(false)} />}
    </>
  );
}

const column = (name: string) => ({ name, show: ({ json }: ListedObject) => cellText(json[name]) });

function Parts() {
  return (
    <Tabs
      label="Parts of security"
      tabs={[
        { id: 'users', name: 'Users', show: () => <Users /> },
        {
          id: 'roles',
          name: 'Roles',
          show: () => (
            <JsonObjects
              name="Roles"
              one="role"
              path="/_security/role"
              example={
                '{\n  "cluster": ["monitor"],\n  "indices": [{ "names": ["logs-*"], "privileges": ["read"] }]\n}'
              }
              read={readByName}
              lost="Who has the role loses what it grants."
              columns={['cluster', 'indices', 'run_as'].map(column)}
              preview={{ does: 'Preview', show: (_, text) => <RolePreview definition={text} /> }}
              key="roles"
            />
          ),
        },
        { id: 'keys', name: 'API keys', show: () => <ApiKeys /> },
        {
          id: 'mappings',
          name: 'Role mappings',
          show: () => (
            <JsonObjects
              name="Role mappings"
              one="role mapping"
              path="/_security/role_mapping"
              example={'{\n  "enabled": true,\n  "roles": ["viewer"],\n  "rules": { "field": { "username": "*" } }\n}'}
              read={readByName}
              lost="Who has its roles by it alone loses them."
              columns={['enabled', 'roles', 'rules'].map(column)}
              preview={{ does: 'Test', show: testOf }}
              listActions={(mappings) => <TestAll mappings={mappings} />}
              key="mappings"
            />
          ),
        },
      ]}
    />
  );
}
