// doctor: real tool calls through a gateway with this configuration, judged by the checks of @dragoman/verify.

import type { EngineName } from '@dragoman/core/bridge';
import type { GatewayConfig } from '@dragoman/gateway';
import {
  type CheckResult,
  drawSuite,
  EndpointError,
  type VerifyReport,
  verifyEndpoint,
  worstFirst,
} from '@dragoman/verify';
import { messageOf } from '../command-error.js';
import { EXIT } from '../exit-codes.js';
import type { Finding } from './finding.js';

/** Cases of the suite, beside the probes of the checks. */
const CASES = 4;

/** The gateway listens on any port of loopback, without keys: only this process knows it. */
export async function checkCall(
  config: GatewayConfig,
  model: string,
  seconds: number,
  engine: EngineName | undefined,
): Promise<Finding> {
  const { serve } = await import('@dragoman/gateway');
  const own = { ...config, host: '127.0.0.1', port: 0, keys: [], page: false, inspect: 0 };
  const gateway = await serve(own, { write: () => {} }).catch(notStarted);
  if ('check' in gateway) return gateway;
  try {
    return findingOf(await judged(`${gateway.url}/v1`, model, seconds, engine), model);
  } catch (error) {
    if (!(error instanceof EndpointError)) throw error;
    const advice = 'The address, the key or the name of the model may be wrong; the lines above tell.';
    return { check: 'call', status: 'fail', text: error.message, advice, code: EXIT.upstream };
  } finally {
    await gateway.close();
  }
}

/** A store that is not there, or a model file that cannot be read. */
function notStarted(error: unknown): Finding {
  const advice = '`dragoman serve` with this configuration would fail, too.';
  const text = `the gateway does not start: ${messageOf(error)}`;
  return { check: 'call', status: 'fail', text, advice, code: EXIT.input };
}

async function judged(
  url: string,
  model: string,
  seconds: number,
  engine: EngineName | 'none' = 'none',
): Promise<VerifyReport | undefined> {
  const signal = AbortSignal.timeout(seconds * 1000);
  const options = { url, model, suite: drawSuite(CASES, 1), concurrency: 2, engine, signal };
  for await (const event of verifyEndpoint(options)) if (event.type === 'report') return event.report;
  return undefined;
}

function findingOf(report: VerifyReport | undefined, model: string): Finding {
  const check = 'call';
  const done = report?.requests.done ?? 0;
  if (!report || done === 0) {
    const advice = 'The model may still be loading: try again, or give it longer with --time.';
    return { check, status: 'warn', text: `${model} gave no answer in time`, advice };
  }
  const { planned } = report.requests;
  const some = done === 1 ? '1 answer' : `${done} answers`;
  const answers = done < planned ? `${some} of ${planned} in time (more with --time)` : some;
  const wrong = worstFirst(report).filter(({ status, required }) => status === 'fail' && required);
  if (wrong.length === 0)
    return { check, status: 'ok', text: `${model}: ${answers}, and every required check passes` };
  return {
    check,
    status: 'fail',
    text: `${model}: ${answers}, and ${wrong.length === 1 ? 'a required check fails' : `${wrong.length} required checks fail`}`,
    advice: [...wrong.map(inWords), '`dragoman verify` shows the answers.'].join('\n'),
    code: EXIT.partial,
  };
}

function inWords({ title, passed, of, advice }: CheckResult): string {
  return `${title}: ${passed} of ${of}.${advice === undefined ? '' : ` ${advice}`}`;
}
