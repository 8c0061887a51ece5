// All dialects, in a file of their own: they are loaded when a text needs another one than the first example does.

export { dialects } from '@dragoman/core/dialects';
