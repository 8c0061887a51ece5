// @dragoman/demo: a rule-based stand-in for a language model, for the quick start, the playground and tests.

export { createDemoUpstream, type DemoOptions, demoDialect, demoModels } from './demo-upstream.js';
