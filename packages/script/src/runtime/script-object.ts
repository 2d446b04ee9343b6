/** An object that scripts may hold; `javaClass` names its row in the allow-list. */
export abstract class ScriptObject {
  abstract readonly javaClass: string;
}
