export { SYS_NAMESPACE, type SysToolName, sysDefinitions } from './definitions.js';
export type { SysOptions } from './options.js';
export type { SysAction, SysAsk } from './permission.js';
export { sysBuiltIn, sysTools } from './sys-built-in.js';
