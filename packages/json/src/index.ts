export { type BodyReader, bodyReader } from './body-reader.js';
export {
  booleanField,
  checkedObjectField,
  type DeclaredField,
  integerField,
  listField,
  longField,
  mapField,
  objectField,
  readFields,
  stringsField,
  textField,
} from './declared-fields.js';
export { compileSourceFilter, filterSource, filterSourceBy, type SourceFilter } from './filter-source.js';
export { locateError } from './locate.js';
export { countValues } from './count-values.kernel.js';
export { JsonText } from './json-text.js';
export { keepDoublesInTurns, readSource, readSourceInTurns, withScriptParams } from './read-source.js';
export { doubleNumber, floatNumber } from './number-text.js';
export {
  isHugeSource,
  isLargeJson,
  parseJson,
  parseJsonInTurns,
  parseSource,
  parseSourceInTurns,
  type ParseTurns,
} from './parse-json.js';
export {
  deepEqual,
  extractAll,
  extractValues,
  isPlainObject,
  mergeDocuments,
  ownProperty,
  setOwn,
  type Json,
  type JsonObject,
} from './plain-object.js';
export type { TextPosition } from './position.js';
export { hasTopLevelKey } from './top-level-key.js';
export { tokenOf } from './token-of.js';
export { decodeJson, encodeJson } from './value-bytes.js';
export { isSmallJson, stringifyInSteps, stringifyInTurns } from './stringify-in-steps.js';
export { stringify, stringifyMixed } from './stringify.js';
export { skipSpace, skipValue } from './scan-json.kernel.js';
