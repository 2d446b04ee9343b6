import { useState } from 'preact/hooks';
import { type Answer, clusterCall, reasonOf } from '../../request/own-call.js';
import { useCall } from '../../request/use-call.js';
import { message } from '../../state/session.js';
import { ConfirmDelete } from '../../widgets/confirm-delete.js';
import { DataTable } from '../../widgets/data-table.js';
import { FormDialog, TextField } from '../../widgets/form-dialog.js';
import { ListInput } from '../../widgets/list-input.js';
import { Loaded } from '../../widgets/loaded.js';
import { Menu, type MenuItem } from '../../widgets/menu.js';

/** A user as the cluster answers it. */
interface User {
  readonly username: string;
  readonly roles: readonly string[];
  readonly full_name: string | null;
  readonly email: string | null;
  readonly enabled: boolean;
  readonly metadata?: { readonly _reserved?: boolean };
}

type UserDialog = { readonly user: User | null } | { readonly password: User } | { readonly remove: User };

const pathOf = (username: string, end = ''): string => `/_security/user/${encodeURIComponent(username)}${end}`;

/** Users that the cluster keeps itself. */
export function Users() {
  const list = useCall('/_security/user');
  const [dialog, setDialog] = useState<UserDialog | null>(null);
  const enable = async ({ username, enabled }: User): Promise<void> => {
    const done = await clusterCall('PUT', pathOf(username, enabled ? '/_disable' : '/_enable'));
    message.value = done.status === 200 ? `${username} is ${enabled ? 'disabled' : 'enabled'}.` : reasonOf(done);
    list.again();
  };
  const itemsOf = (user: User): readonly MenuItem[] => [
    { name: 'Change password', act: () => setDialog({ password: user }) },
    { name: user.enabled ? 'Disable' : 'Enable', act: () => void enable(user) },
    ...(user.metadata?._reserved === true
      ? []
      : [
          { name: 'Edit', act: () => setDialog({ user }) },
          { name: 'Delete', act: () => setDialog({ remove: user }) },
        ]),
  ];
  return (
    <>
      <div class="row">
        <button type="button" onClick={() => setDialog({ user: null })}>
          Create user
        </button>
      </div>
      <Loaded call={list}>
        {({ json }) => (
          <DataTable
            caption="Users"
            rows={Object.values((json ?? {}) as Record<string, User>)}
            keyOf={({ username }) => username}
            empty="There is no user yet."
            columns={[
              { name: 'Username', show: ({ username }) => username, sort: ({ username }) => username },
              { name: 'Full name', show: ({ full_name: name }) => name ?? '' },
              { name: 'Email', show: ({ email }) => email ?? '' },
              { name: 'Roles', show: ({ roles }) => roles.join(', ') },
              { name: 'Status', show: ({ enabled }) => (enabled ? 'enabled' : 'disabled') },
              {
                name: 'Actions',
                show: (user) => <Menu label={`Actions for ${user.username}`} shown="Actions" items={itemsOf(user)} />,
              },
            ]}
          />
        )}
      </Loaded>
      {dialog !== null && <Dialogs dialog={dialog} close={() => setDialog(null)} again={list.again} />}
    </>
  );
}

/** Props of the dialogs. */
interface DialogsProps {
  readonly dialog: UserDialog;
  readonly close: () => void;
  readonly again: () => void;
}

function Dialogs({ dialog, close, again }: DialogsProps) {
  if ('remove' in dialog) {
    const { username } = dialog.remove;
    return (
      <ConfirmDelete
        name={username}
        lost="The user can no longer log in."
        call={`DELETE ${pathOf(username)}`}
        run={() => clusterCall('DELETE', pathOf(username))}
        onClose={close}
        onDone={again}
      />
    );
  }
  if ('user' in dialog) return <UserForm user={dialog.user} close={close} again={again} />;
  const { username } = dialog.password;
  return (
    <FormDialog
      title={`Password of ${username}`}
      does="Change"
      onClose={close}
      onDone={() => (message.value = `The password of ${username} was changed.`)}
      run={(form) => clusterCall('POST', pathOf(username, '/_password'), { body: { password: form.get('password') } })}
    >
      <TextField label="Password" name="password" type="password" isRequired isFirst />
    </FormDialog>
  );
}

function UserForm({
  user,
  close,
  again,
}: {
  readonly user: User | null;
  readonly close: () => void;
  readonly again: () => void;
}) {
  const known = useCall('/_security/role');
  const [roles, setRoles] = useState<readonly string[]>(user?.roles ?? []);
  const run = (form: FormData): Promise<Answer> => {
    const password = String(form.get('password') ?? '');
    return clusterCall('PUT', pathOf(user?.username ?? String(form.get('username'))), {
      body: {
        roles,
        full_name: String(form.get('full_name')) || null,
        email: String(form.get('email')) || null,
        ...(password === '' ? {} : { password }),
      },
    });
  };
  return (
    <FormDialog
      title={user === null ? 'Create user' : `Edit ${user.username}`}
      does={user === null ? 'Create' : 'Save'}
      run={run}
      onClose={close}
      onDone={() => {
        message.value = 'The user was saved.';
        again();
      }}
    >
      {user === null && (
        <>
          <TextField label="Username" name="username" isRequired isFirst />
          <TextField label="Password" name="password" type="password" isRequired />
        </>
      )}
      <TextField label="Full name" name="full_name" value={user?.full_name ?? ''} />
      <TextField label="Email" name="email" type="email" value={user?.email ?? ''} />
      <ListInput
        label="Roles"
        values={roles}
        onChange={setRoles}
        offered={Object.keys((known.answer?.json ?? {}) as object)}
      />
    </FormDialog>
  );
}
