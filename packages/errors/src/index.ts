export { answeredWith, ApiError, type ErrorLocation, type ErrorMeta, isApiError, toApiError } from './api-error.js';
export { type ErrorKind, errors } from './catalogue.js';
export { decodeError, encodeError, renderCause, statusOf, toErrorBody, type WireError } from './render.js';
export { notBoolean } from './not-boolean.js';
export { withoutStacks } from './without-stacks.js';
