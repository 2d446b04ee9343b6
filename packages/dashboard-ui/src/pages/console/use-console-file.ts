import { useEffect, useRef, useState } from 'preact/hooks';
import { reasonOf } from '../../request/own-call.js';
import {
  type FileName,
  forgetFile,
  keepFile,
  listFiles,
  openFile,
  type OpenFile,
  saveOpenFile,
  SCRATCH,
  versionNow,
} from './console-files.js';

/** Pause after the last key before the file is kept in this browser, and before it is saved in the cluster. */
const KEEP_MS = 400;
const SAVE_MS = 1_500;

/** The open file of the console, as the page works with it. */
export interface ConsoleFileState {
  readonly files: readonly FileName[];
  readonly file: OpenFile | null;
  /** Why the file cannot be opened or saved; empty if nothing is wrong. */
  readonly problem: string;
  readonly hasConflict: boolean;
  /** Takes over the text of the editor after a change. */
  changed(): void;
  /** Ends a conflict: with the text here, or with that of the cluster. */
  settle(isMine: boolean): Promise<void>;
  reload(): void;
}

/** What an open file reads and tells. */
interface FileDoors {
  readonly text: () => string;
  readonly load: (text: string) => void;
  readonly onFile: (file: OpenFile | null) => void;
  readonly onProblem: (problem: string) => void;
  readonly onConflict: (hasConflict: boolean) => void;
}

/** The file that is open: keeps what is typed at each pause, and saves it. */
class FileKeeper {
  readonly #doors: FileDoors;
  #file: OpenFile | null = null;
  #hasConflict = false;
  #keepTimer: number | undefined;
  #saveTimer: number | undefined;
  /** Files whose save is on its way: the next needs the version that it makes. */
  readonly #saving = new Set<string>();

  constructor(doors: FileDoors) {
    this.#doors = doors;
  }

  /** Opens the file of an id; what is open until then is kept. */
  async open(id: string, isWanted: () => boolean): Promise<void> {
    this.#setConflict(false);
    const opened = await openFile(id);
    if (!isWanted()) return;
    if ('status' in opened) return this.#doors.onProblem(reasonOf(opened));
    this.#doors.onProblem('');
    this.#put(opened);
    if (opened.isUnsaved) await this.#save();
  }

  /** A text that waits for its pause is kept now: the page is left. */
  keepNow(): void {
    if (this.#keepTimer !== undefined) this.#keep();
  }

  /** Ends. */
  close(): void {
    window.clearTimeout(this.#saveTimer);
    this.keepNow();
    this.#file = null;
    this.#doors.onFile(null);
  }

  changed(): void {
    if (this.#file === null) return;
    window.clearTimeout(this.#keepTimer);
    window.clearTimeout(this.#saveTimer);
    this.#keepTimer = window.setTimeout(() => this.#keep(), KEEP_MS);
    if (this.#file.version !== null && !this.#hasConflict)
      this.#saveTimer = window.setTimeout(() => void this.#save(), SAVE_MS);
  }

  async settle(isMine: boolean): Promise<void> {
    const file = this.#file;
    if (file === null) return;
    this.#setConflict(false);
    if (isMine) {
      const version = await versionNow(file.id);
      if (version !== null) this.#file = { ...file, version };
      return this.#save();
    }
    forgetFile(file.id);
    const opened = await openFile(file.id);
    if ('status' in opened) this.#doors.onProblem(reasonOf(opened));
    else this.#put(opened);
  }

  #put(file: OpenFile): void {
    this.#doors.load(file.text);
    this.#file = file;
    this.#doors.onFile(file);
  }

  #setConflict(hasConflict: boolean): void {
    this.#hasConflict = hasConflict;
    this.#doors.onConflict(hasConflict);
  }

  #keep(): void {
    window.clearTimeout(this.#keepTimer);
    this.#keepTimer = undefined;
    if (this.#file === null) return;
    this.#file = { ...this.#file, text: this.#doors.text() };
    this.#doors.onProblem(keepFile(this.#file) ? '' : NOT_KEPT);
  }

  async #save(): Promise<void> {
    const file = this.#file;
    if (file === null || file.version === null || this.#saving.has(file.id)) return;
    this.#saving.add(file.id);
    const text = this.#doors.text();
    const outcome = await saveOpenFile({ ...file, text });
    this.#saving.delete(file.id);
    if (this.#file?.id !== file.id) return;
    this.#setConflict(outcome.kind === 'conflict');
    if (outcome.kind === 'failed') this.#doors.onProblem(`The file is kept in this browser alone: ${outcome.reason}`);
    if (outcome.kind !== 'saved') return;
    this.#file = { ...this.#file, version: outcome.version, isUnsaved: false };
    if (this.#doors.text() === text) return;
    this.#keep();
    this.changed();
  }
}

const NOT_KEPT = 'This browser keeps no more: what is typed is lost with the page.';

/** Opens the file of an id. `text` reads the editor, `load` fills it. */
export function useConsoleFile(id: string, text: () => string, load: (text: string) => void): ConsoleFileState {
  const [files, setFiles] = useState<readonly FileName[]>([{ id: SCRATCH, title: SCRATCH }]);
  const [file, onFile] = useState<OpenFile | null>(null);
  const [problem, onProblem] = useState('');
  const [hasConflict, onConflict] = useState(false);
  const [looks, setLooks] = useState(0);
  const keeper = useRef<FileKeeper | null>(null);
  keeper.current ??= new FileKeeper({ text, load, onFile, onProblem, onConflict });
  const { current } = keeper;
  useEffect(() => {
    void listFiles().then(setFiles);
  }, [looks]);
  useEffect(() => {
    let isWanted = true;
    void current.open(id, () => isWanted);
    const onHide = (): void => current.keepNow();
    window.addEventListener('pagehide', onHide);
    return () => {
      window.removeEventListener('pagehide', onHide);
      isWanted = false;
      current.close();
    };
  }, [id]);
  return {
    files,
    file,
    problem,
    hasConflict,
    changed: () => current.changed(),
    settle: (isMine) => current.settle(isMine),
    reload: () => setLooks((count) => count + 1),
  };
}
