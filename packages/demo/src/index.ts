// @dragoman/gateway/demo: a model that needs nothing, to see a round trip with.

export { createDemoUpstream, type DemoOptions, demoDialect, demoModels } from './demo-upstream.js';
