// Observability of the gateway: logs, metrics, traces and the inspector.

export { createInspector, type Inspector, type InspectorOptions, type InspectorView } from './inspector.js';
export type {
  AnswerRecord,
  AttemptRecord,
  ExchangeRecord,
  ExchangeSummary,
  InspectorEvent,
  ParseRecord,
  SummaryEvent,
} from './inspector-shapes.js';
export { type InspectorStreamOptions, inspectorStream } from './inspector-stream.js';
export { createLog, type LogOptions, type SecretLog } from './log.js';
export { createMetrics, type Metrics, type MetricsOptions, type MetricValues } from './metrics.js';
export { requestId } from './request-id.js';
export { createTraces, type Traces, type TracesOptions } from './traces.js';
export { joinWatchers } from './watchers.js';
