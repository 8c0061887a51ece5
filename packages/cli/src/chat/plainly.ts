// Text of calls on a terminal: nothing in it can hide.

export { spellHidden as plainly } from '@dragoman/core/agent';
