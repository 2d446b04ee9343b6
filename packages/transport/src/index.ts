export { createLink, type Link, type Port } from './link.js';
export { loopbackChannel } from './loopback.js';
