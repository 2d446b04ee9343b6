import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { type Answer, reasonOf } from '../request/own-call.js';
import { Dialog } from './dialog.js';

/** Props of the dialog. */
interface FormDialogProps {
  readonly title: string;
  /** Name of the button that makes the call. */
  readonly does: string;
  /** Makes the call out of the fields by name; a text is what is wrong with them. */
  readonly run: (form: FormData) => Promise<Answer | string>;
  readonly onClose: () => void;
  /** Called after a good answer, before the dialog closes. */
  readonly onDone: (answer: Answer) => void;
  readonly children: ComponentChildren;
}

/** A dialog with fields and one call; a refused call keeps what was typed. */
export function FormDialog({ title, does, run, onClose, onDone, children }: FormDialogProps) {
  const [problem, setProblem] = useState('');
  const [isBusy, setBusy] = useState(false);
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    setBusy(true);
    const answer = await run(new FormData(event.currentTarget as HTMLFormElement));
    setBusy(false);
    if (typeof answer === 'string') return setProblem(answer);
    if (answer.status < 200 || answer.status > 299) return setProblem(reasonOf(answer));
    onClose();
    onDone(answer);
  };
  return (
    <Dialog title={title} onClose={onClose}>
      <form class="form" onSubmit={(event) => void submit(event as SubmitEvent)}>
        {problem !== '' && (
          <p role="alert" class="problem">
            {problem}
          </p>
        )}
        {children}
        <div class="row">
          <button type="submit" class="primary" disabled={isBusy}>
            {does}
          </button>
          <button type="button" onClick={onClose}>
            Cancel
          </button>
        </div>
      </form>
    </Dialog>
  );
}

/** Props of a field. */
interface FieldProps {
  readonly label: string;
  readonly name: string;
  readonly value?: string;
  readonly type?: 'text' | 'password' | 'email';
  readonly isRequired?: boolean;
  readonly isFirst?: boolean;
}

/** A text field of a form. */
export function TextField({ label, name, value = '', type = 'text', isRequired = false, isFirst = false }: FieldProps) {
  return (
    <label>
      {label}
      <input
        name={name}
        type={type as 'password'}
        defaultValue={value}
        required={isRequired}
        autofocus={isFirst}
        autocomplete={type === 'password' ? 'new-password' : 'off'}
        spellcheck={false}
      />
    </label>
  );
}
