import { clusterCall } from '../../request/own-call.js';
import { message } from '../../state/session.js';
import { ConfirmDelete } from '../../widgets/confirm-delete.js';
import { inPath } from './index-rows.js';

/** Props of the dialog. */
interface DeleteIndexProps {
  readonly index: string;
  readonly onClose: () => void;
  readonly onDone: () => void;
}

/** Deletes an index once its name was typed. */
export function DeleteIndex({ index, onClose, onDone }: DeleteIndexProps) {
  const path = `/${inPath(index)}`;
  return (
    <ConfirmDelete
      name={index}
      lost="All its documents are lost."
      call={`DELETE ${path}`}
      run={() => clusterCall('DELETE', path)}
      onClose={onClose}
      onDone={() => {
        message.value = `The index ${index} was deleted.`;
        onDone();
      }}
    />
  );
}
